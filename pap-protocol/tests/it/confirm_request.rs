//! What a confirm must say (section 5.2): the table of whole numbers, and everything that is none.

use pap_protocol::operation::{ApprovedBy, ConfirmRequest, ConfirmRevision, Revision};
use proptest::prelude::*;

fn read(revision: &str) -> Option<ConfirmRevision> {
    let body = format!(r#"{{"revision":{revision},"approved_by":"user"}}"#);
    ConfirmRequest::from_json(body.as_bytes()).ok().map(|request| request.revision)
}

/// OPS-5.2-1
#[test]
fn every_whole_number_is_a_revision_or_one_that_was_never_issued() {
    for (number, revision) in [("1", 1), ("2", 2), ("4294967295", u32::MAX)] {
        let revision = ConfirmRevision::Some(Revision::try_from(revision).unwrap());
        assert_eq!(read(number), Some(revision), "{number}");
    }
    let huge = "9".repeat(400);
    for number in ["0", "-0", "-1", "4294967296", "18446744073709551616", huge.as_str()] {
        assert_eq!(read(number), Some(ConfirmRevision::NeverIssued), "{number}");
        let negative = format!("-{}", number.trim_start_matches('-'));
        assert_eq!(read(&negative), Some(ConfirmRevision::NeverIssued), "{negative}");
    }
}

/// OPS-5.2-1
#[test]
fn what_is_no_whole_number_is_no_revision() {
    let others = [
        "1.0", "1e0", "1E0", "10e-1", "-1.5", r#""1""#, "true", "null", "[1]", "{}", "01", "+1", "",
    ];
    for other in others {
        assert_eq!(read(other), None, "{other}");
    }
}

/// OPS-5.2-1
#[test]
fn an_approval_is_one_of_two_words() {
    for by in ApprovedBy::ALL {
        let body = format!(r#"{{ "approved_by": "{by}", "revision": 1 }}"#);
        let request = ConfirmRequest::from_json(body.as_bytes()).unwrap();
        assert_eq!(request, ConfirmRequest::new(Revision::FIRST, by));
    }
    let others = [
        r#""User""#,
        r#""agent""#,
        r#""""#,
        "null",
        "1",
        "true",
        r#"["user"]"#,
        r#"{"user":null}"#,
    ];
    for other in others {
        let body = format!(r#"{{"revision":1,"approved_by":{other}}}"#);
        assert!(ConfirmRequest::from_json(body.as_bytes()).is_err(), "{other}");
    }
}

/// EXT-6
#[test]
fn unknown_members_of_a_confirm_are_ignored() {
    let body = r#"{"revision":1,"approved_by":"user","later":{"a":[1e999]}}"#;
    assert!(ConfirmRequest::from_json(body.as_bytes()).is_ok());
}

#[test]
fn a_confirm_is_one_object_with_each_member_once() {
    let bodies = [
        r#"{"revision":1}"#,
        r#"{"approved_by":"user"}"#,
        r#"{"revision":1,"approved_by":"user","revision":1}"#,
        r#"{"revision":1,"approved_by":"user","\u0072evision":2}"#,
        r#"{"revision":1,"approved_by":"user","later":{"a":1,"a":1}}"#,
        r#"{"revision":1,"approved_by":"user"} {}"#,
        r#"{"revision":NaN,"approved_by":"user"}"#,
        r#"[1,"user"]"#,
        "[]",
        "null",
        "",
    ];
    for body in bodies {
        assert!(ConfirmRequest::from_json(body.as_bytes()).is_err(), "{body}");
    }
    assert!(ConfirmRequest::from_json(b"{\"revision\":1,\"approved_by\":\"\xff\"}").is_err());
}

#[test]
fn a_revision_that_nobody_issued_cannot_be_sent() {
    let never =
        ConfirmRequest { revision: ConfirmRevision::NeverIssued, approved_by: ApprovedBy::User };
    assert!(serde_json::to_string(&never).is_err());
}

proptest! {
    #[test]
    fn no_body_is_too_strange_to_answer(body: Vec<u8>) {
        prop_assert!(ConfirmRequest::from_json(&body).is_err());
    }

    #[test]
    fn what_is_sent_is_what_is_read(number in 1..=u32::MAX) {
        let revision = Revision::try_from(number).unwrap();
        let request = ConfirmRequest::new(revision, ApprovedBy::StandingPermission);
        let body = serde_json::to_vec(&request).unwrap();
        prop_assert_eq!(ConfirmRequest::from_json(&body).unwrap(), request);
    }
}
