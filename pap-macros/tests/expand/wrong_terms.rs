#[derive(Terms)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    item: String,
    price: f64,
}
