//! Addresses that name nothing: ids and path parameters of any shape.

use axum::body::Body;
use axum::http::{Method, Request};

use crate::lab::Bay;
use crate::shop::{JACKET, Street};

/// OPS-9-3
#[tokio::test]
async fn an_id_of_any_shape_but_its_own_names_no_operation() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let before = street.on_record();
    let unknown = street.read(&ada, "exc_never_was").await;
    unknown.is(404, "operation_not_found");
    let others = ["%", "%2", "%FF", "%00", ".", "..", "%2e%2e", "a%2Fb", "a.b", "%C3%A9"];
    let mut others: Vec<String> = others.map(str::to_owned).to_vec();
    others.extend([
        "x".repeat(10_000),
        format!("{id}.json"),
        format!("{id}%00"),
        format!("{id}%2Fconfirm"),
        format!("%65{}", &id[1..]),
        id.to_uppercase(),
    ]);
    for other in others {
        assert_eq!(street.read(&ada, &other).await, unknown, "read {other}");
        assert_eq!(street.confirm(&ada, &other).await, unknown, "confirm {other}");
        assert_eq!(street.cancel(&ada, &other).await, unknown, "cancel {other}");
    }
    for slashed in ["a/b", "/", &format!("../{id}"), &format!("{id}/"), &format!("/{id}")] {
        street.read(&ada, slashed).await.is(404, "not_found");
        street.confirm(&ada, slashed).await.is(404, "not_found");
        street.cancel(&ada, slashed).await.is(404, "not_found");
    }
    assert_eq!(street.on_record(), before);
    assert_eq!(street.shop.effects(), 0);
    street.read(&ada, &id).await.state("proposed");
}

/// An agent's request on a declared route is answered here whatever the parameter: it never reaches the
/// service behind, which would perform it.
#[tokio::test]
async fn a_path_parameter_of_any_shape_is_read_as_it_is_or_refused() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let long = "x".repeat(10_000);
    for order in ["a%2Fb", "..", "%2e%2e", "a.b", "%00", "%C3%A9", "%E2%80%AE", &long] {
        let url = format!("https://api.example.com/orders/{order}/exchanges");
        street.post(&ada, &url, JACKET).await.is(404, "order_not_found");
    }
    let asked = street.shop.proposals();
    for order in ["%", "%2", "%zz", "%FF", "x%C3"] {
        let url = format!("https://api.example.com/orders/{order}/exchanges");
        street.post(&ada, &url, JACKET).await.is(400, "invalid_request");
    }
    assert_eq!(street.shop.proposals(), asked);
    assert_eq!(street.on_record(), [0, 0, 0]);
    let spelled = "https://api.example.com/orders/ord%5F7Hk2/exchanges";
    let id = street.post(&ada, spelled, JACKET).await.json["operation"]["operation_id"].clone();
    assert_eq!(id, street.propose(&ada).await, "one order, however it is spelled");
}

/// An agent's request is proposed or refused, however it spells the route: a service behind that is more
/// forgiving would perform it.
#[tokio::test]
async fn a_declared_route_that_is_spelled_differently_never_reaches_the_service_behind() {
    let bay = Bay::new().await;
    let body = r#"{ "times": 1, "list": ["a"] }"#;
    let spellings = [
        "/labs/x/tries/",
        "//labs/x/tries",
        "/labs//x/tries",
        "/%6Cabs/x/tries",
        "/labs/x/t%72ies",
        "/labs%2Fx%2Ftries",
        "/labs/x/./tries",
        "/labs/y/../x/tries",
        "/labs/x/%2E/tries",
    ];
    for path in spellings {
        bay.post(path, body).await.is(404, "not_found");
        let web = Request::post(path).body(Body::from(body)).unwrap();
        assert_eq!(bay.send(web).await.text, "as before", "others keep what they have: {path}");
    }
    for path in ["/labs/x/others", "/labs/x", "/labs/x/tries/1"] {
        assert_eq!(bay.post(path, body).await.text, "as before", "{path}");
    }
    for scheme in ["DPoP\t", "dpop ", "DPoP  ", "DPOP \t"] {
        let mut request =
            bay.ada.request(Method::POST, "https://api.example.com/labs/x/tries", None);
        let token = format!("{scheme}{}", bay.ada.token());
        request.headers_mut().insert("authorization", token.parse().unwrap());
        assert_ne!(bay.send(request).await.text, "as before", "{scheme:?}");
    }
    let read = bay.ada.request(Method::GET, "https://api.example.com/labs/x/tries/", None);
    assert_eq!(bay.send(read).await.text, "as before", "another method is no declared route");
    assert_eq!(bay.post("/labs/x/tries", body).await.status, 202);
}
