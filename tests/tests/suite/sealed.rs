//! The component is sealed: it imports a clock's `now`, and exports the session. Read from the built file itself.

use tests::built::built;
use wasmparser::component_types::ComponentEntityType;
use wasmparser::{CanonicalFunction, Encoding, Parser, Payload, Validator, WasmFeatures};

const CLOCK: &str = "wasi:clocks/monotonic-clock@0.2.0";
const SESSION: &str = "gitgate:sandbox/session@0.1.0";

fn component() -> Vec<u8> {
    std::fs::read(&built().component).expect("it was built")
}

/// The names in the outermost component's import and export sections, and the imports of all modules inside.
#[derive(Default)]
struct Doors {
    imports: Vec<String>,
    exports: Vec<String>,
    lowered: usize,
    module_imports: Vec<(String, String)>,
}

fn doors(bytes: &[u8]) -> Doors {
    let mut doors = Doors::default();
    let mut depth = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.expect("the file is well-formed") {
            Payload::Version { encoding, .. } => depth.push(encoding),
            Payload::End(_) => drop(depth.pop()),
            Payload::ComponentImportSection(section) if depth.len() == 1 => {
                doors
                    .imports
                    .extend(section.into_iter().map(|import| import.expect("it is well-formed").name.name.to_owned()));
            }
            Payload::ComponentExportSection(section) if depth.len() == 1 => {
                doors
                    .exports
                    .extend(section.into_iter().map(|export| export.expect("it is well-formed").name.name.to_owned()));
            }
            Payload::ComponentCanonicalSection(section) => {
                let lowers = |function: &CanonicalFunction| matches!(function, CanonicalFunction::Lower { .. });
                doors.lowered += section
                    .into_iter()
                    .filter(|function| lowers(function.as_ref().expect("it is well-formed")))
                    .count();
            }
            Payload::ImportSection(section) => {
                assert_eq!(depth.last(), Some(&Encoding::Module));
                for import in section.into_imports() {
                    let import = import.expect("it is well-formed");
                    doors.module_imports.push((import.module.to_owned(), import.name.to_owned()));
                }
            }
            _ => {}
        }
    }
    doors
}

#[test]
fn the_only_import_is_the_function_now_of_the_monotonic_clock() {
    let bytes = component();
    assert_eq!(doors(&bytes).imports, [CLOCK]);
    let types =
        Validator::new_with_features(WasmFeatures::default()).validate_all(&bytes).expect("the component is valid");
    let types = types.as_ref();
    let clock = types.component_item_for_import(CLOCK).expect("it is imported");
    let ComponentEntityType::Instance(clock) = clock.ty else { panic!("the clock is no instance") };
    let mut functions = Vec::new();
    for (name, item) in &types[clock].exports {
        match item.ty {
            ComponentEntityType::Func(_) => functions.push(name.as_str()),
            // The result type of `now` has a name.
            ComponentEntityType::Type { .. } => assert_eq!(name, "instant"),
            _ => panic!("the clock has {name}"),
        }
    }
    assert_eq!(functions, ["now"]);
}

#[test]
fn the_only_export_is_the_session() {
    assert_eq!(doors(&component()).exports, [SESSION]);
}

/// A module can reach the outside only through a function that the component imported and lowered for it.
#[test]
fn no_module_inside_reaches_anything_but_the_clock() {
    let doors = doors(&component());
    assert_eq!(doors.lowered, 1, "one function crosses into the modules");
    let outward = |(module, _): &&(String, String)| module.contains(':') || module.starts_with("wasi");
    let outward: Vec<_> =
        doors.module_imports.iter().filter(outward).map(|(module, name)| (module.as_str(), name.as_str())).collect();
    for (module, name) in &outward {
        // std asks for a seed directly; the adapter inside answers from the kernel.
        assert!(
            *module == CLOCK && *name == "now" || *module == "wasi_snapshot_preview1" && *name == "random_get",
            "{module} {name}"
        );
    }
    assert!(outward.contains(&(CLOCK, "now")));
}
