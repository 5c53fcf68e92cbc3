//! What a file's name says about its content.

use crate::support::{planted::fill, pushing::Scene};
use fastrand::Rng;
use gate::{
    review::Flag,
    secrets::{scan, scan_file},
};

const UUID: &str = "<h:8>-<h:4>-<h:4>-<h:4>-<h:12>";

fn found(path: &str, form: &str) -> Vec<(&'static str, usize)> {
    let text = fill(form, &mut Rng::with_seed(1));
    scan_file(path.as_bytes(), text.as_bytes()).iter().map(|finding| (finding.rule, finding.line)).collect()
}

#[test]
fn a_file_that_is_named_as_a_key_of_rails_and_has_nothing_but_one_is_found() {
    for path in ["config/master.key", "config/credentials/production.key", "a/config/Credentials/staging.key"] {
        for form in ["<h:32>", "<h:32>\n"] {
            assert_eq!(found(path, form), [("rails-master-key", 1)], "{path}");
        }
        for form in ["<h:31>", "<h:32> <h:32>", "00000000000000000000000000000000", "see config/master.yml"] {
            assert_eq!(found(path, form), [], "{path}");
        }
    }
    for path in ["config/master.txt", "key", "", "a.key/b"] {
        assert_eq!(found(path, "<h:32>\n"), [], "{path}");
    }
}

#[test]
fn a_uuid_is_a_secret_where_a_variable_of_the_environment_that_says_so_has_it() {
    for path in [".env", "a/.env.production", "prod.env", ".envrc", "docker/.flaskenv"] {
        for line in [format!("api_key={UUID}"), format!("export Token='{UUID}'"), format!("client-secret: {UUID}")] {
            assert_eq!(found(path, &format!("A=1\n{line}\n")), [("generic", 2)], "{path} {line}");
        }
        assert_eq!(found(path, &format!("APP_ID={UUID}\nTOKEN_ID={UUID}\nTENANT={UUID}\n")), [], "{path}");
    }
    for line in
        [format!("API_KEY={UUID}"), format!("  SESSION_SECRET: \"{UUID}\""), format!("const MY_TOKEN = '{UUID}'")]
    {
        assert_eq!(found("src/a.ts", &line), [("generic", 1)], "{line}");
        assert_eq!(scan(fill(&line, &mut Rng::with_seed(1)).as_bytes()).len(), 1, "{line}");
    }
    for line in [format!("token = \"{UUID}\""), format!("{{\"apiKey\": \"{UUID}\"}}"), format!("REQUEST_ID={UUID}")] {
        assert_eq!(found("src/a.ts", &line), [], "{line}");
    }
}

#[test]
fn attack_19_a_push_with_a_key_of_rails_is_flagged() {
    let scene = Scene::simple();
    scene.repo.write("config/master.key", fill("<h:32>", &mut Rng::with_seed(2))).commit("add");
    let review = scene.review("topic");
    let Flag::Secret(secret) = &review.flags[0] else { panic!("{:?}", review.flags) };
    assert_eq!((secret.kind, secret.place.as_str()), ("rails-master-key", "config/master.key"));
}
