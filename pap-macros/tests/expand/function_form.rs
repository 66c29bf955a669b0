#[operation(action = "orders.send_back", scopes = [], terms = SendBackTerms, summary = "Send {order_id:short} back.",
            propose = quotes::work_out(proposing, request), request = SendBackRequest, reconcile = find_out,
            retain_for = "90d", stop = halt, recheck = still_holds, released = let_go, crate = facade::ops)]
async fn send_back(shop: &Shop, op: Op) -> Answer {}
