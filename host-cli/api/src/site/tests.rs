use super::*;

const OWN: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 0, 7));

const ADVICE: Advice = Advice { host: "name it", origin: "serve it here" };

/// The status of a refusal, or the origin that the answer names.
fn asked(site: &Site, headers: &[(&str, &str)]) -> Result<Option<String>, u16> {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let request = Request::new("GET".to_owned(), "/sandboxes".to_owned(), headers);
    site.admit(&request).map_err(|problem| problem.response().status)
}

fn is_host(site: &Site, host: &str) -> bool {
    asked(site, &[("Host", host)]) == Ok(None)
}

fn is_origin(site: &Site, origin: &str) -> bool {
    let answered = asked(site, &[("Host", "localhost:8420"), ("Origin", origin)]);
    assert!(answered == Err(403) || answered == Ok(Some(origin.to_owned())), "{origin}: {answered:?}");
    answered.is_ok()
}

#[test]
fn a_server_has_the_names_of_its_machine_and_its_address_and_no_other() {
    let mut site = Site::at(OWN, ADVICE);
    site.allow_host("Box.Example").unwrap();
    site.allow_host("tunnel.example:8443").unwrap();
    for host in [
        "localhost",
        "localhost:1",
        "LocalHost:65535",
        "127.0.0.1",
        "127.0.0.1:8420",
        "[::1]",
        "[::1]:8420",
        "[0:0:0:0:0:0:0:1]",
        "192.168.0.7:9",
        "box.example",
        "BOX.example:9",
        "tunnel.example:8443",
    ] {
        assert!(is_host(&site, host), "{host}");
    }
    for host in [
        "",
        "evil.example",
        "localhost.evil.example",
        "localhost:9.evil.example",
        "127.0.0.1.evil.example",
        "evil.example@localhost",
        "localhost@evil.example",
        "localhost.",
        "localhost..",
        ".localhost",
        "localhost:",
        "localhost:+9",
        "localhost:65536",
        "localhost:9:9",
        "localhost/",
        "localhost#",
        " localhost",
        "http://localhost",
        "127.1",
        "0x7f000001",
        "2130706433",
        "127.0.0.2",
        "127.0.0.01",
        "::1",
        "[::1",
        "[::2]",
        "[::ffff:127.0.0.1]",
        "[localhost]",
        "localhost, evil.example",
        "l\u{f6}calhost",
        "tunnel.example",
        "tunnel.example:443",
    ] {
        assert!(!is_host(&site, host), "{host}");
    }
    assert_eq!(asked(&site, &[]), Err(403), "it says no host");
    assert_eq!(asked(&site, &[("Host", "localhost"), ("host", "evil.example")]), Err(403), "it says two");
}

#[test]
fn a_server_on_all_addresses_has_all_numbers_and_no_other_name() {
    for address in [IpAddr::V4(Ipv4Addr::UNSPECIFIED), IpAddr::V6(Ipv6Addr::UNSPECIFIED)] {
        let site = Site::at(address, ADVICE);
        for host in ["localhost", "10.1.2.3:8420", "[fd00::7]:8420"] {
            assert!(is_host(&site, host), "{host}");
        }
        for host in ["evil.example", "10.1.2.3.evil.example", "10.1.2"] {
            assert!(!is_host(&site, host), "{host}");
        }
        let of = |host, origin| asked(&site, &[("Host", host), ("Origin", origin)]);
        assert!(of("10.1.2.3:8420", "http://10.1.2.3:8420").is_ok(), "a page beside it");
        assert!(of("10.1.2.3:8420", "http://10.1.2.4:8420").is_err());
    }
}

#[test]
fn pages_of_the_machine_may_ask_and_those_that_are_allowed() {
    let mut site = Site::at(OWN, ADVICE);
    site.allow_origin("HTTPS://Page.Example:443").unwrap();
    site.allow_origin("chrome-extension://abcdefgh").unwrap();
    for origin in [
        "http://localhost:8420",
        "http://localhost",
        "https://localhost:5173",
        "http://LOCALHOST:9",
        "http://127.0.0.1:9",
        "http://[::1]:9",
        "https://page.example",
        "https://page.example:443",
        "https://PAGE.example",
        "chrome-extension://abcdefgh",
    ] {
        assert!(is_origin(&site, origin), "{origin}");
    }
    for origin in [
        "",
        "null",
        "*",
        "localhost",
        "//localhost",
        "://localhost",
        "http://",
        "http://localhost:9.evil.example",
        "http://localhost.evil.example",
        "http://localhost:9@evil.example",
        "http://evil.example@localhost",
        "http://localhost.",
        "http://localhost/",
        "http://localhost:9/x",
        "http://localhost, https://evil.example",
        "http://localhost https://evil.example",
        "ftp://localhost",
        "file://localhost",
        "http://127.0.0.2:9",
        "http://192.168.0.7:9",
        "http://page.example",
        "https://page.example:8443",
        "https://page.example.",
        "https://page.example.evil.example",
        "https://evil-page.example",
        "chrome-extension://abcdefghi",
        "https://abcdefgh",
    ] {
        assert!(!is_origin(&site, origin), "{origin}");
    }
}

#[test]
fn a_page_beside_the_interface_may_ask_whatever_takes_tls_off_before_it() {
    let mut site = Site::at(OWN, ADVICE);
    site.allow_host("box.example").unwrap();
    let may = |host, origin| asked(&site, &[("Host", host), ("Origin", origin)]).is_ok();
    assert!(may("192.168.0.7:8420", "http://192.168.0.7:8420"));
    assert!(may("box.example", "https://box.example") && may("box.example", "http://box.example:80"));
    assert!(may("box.example:8443", "https://box.example:8443"));
    assert!(!may("box.example", "https://box.example:8443"));
    assert!(!may("box.example:8443", "https://box.example"));
    assert!(!may("box.example", "https://other.example") && !may("evil.example", "https://evil.example"));
}

#[test]
fn a_server_behind_a_platform_has_the_names_that_lead_there_and_its_own_pages() {
    let site = Site::listed("", "https://page.example  https://other.example", ADVICE).unwrap();
    let may = |host, origin| asked(&site, &[("Host", host), ("Origin", origin)]).is_ok();
    assert!(is_host(&site, "gitgate.ada.workers.dev"));
    assert!(may("gitgate.ada.workers.dev", "https://gitgate.ada.workers.dev"));
    assert!(may("x.example", "https://page.example") && may("x.example", "https://other.example"));
    assert!(!may("x.example", "https://evil.example") && !may("x.example", "null"));
    assert!(!may("x.example", "http://localhost:9"), "it is not on the machine of that page");
    let listed = Site::listed("localhost 127.0.0.1 [::1]", "", ADVICE).unwrap();
    assert!(is_host(&listed, "localhost:8787") && !is_host(&listed, "x.example"));
    assert!(asked(&listed, &[("Host", "localhost:8787"), ("Origin", "http://127.0.0.1:9")]).is_ok());
    assert!(Site::listed("http://x.example", "", ADVICE).is_err() && Site::listed("", "x.example", ADVICE).is_err());
}
