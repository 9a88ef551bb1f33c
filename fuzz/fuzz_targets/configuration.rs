//! Fuzzes the property `configuration` of `tests/properties.rs`.
#![no_main]

#[path = "../../tests/properties.rs"]
mod properties;
#[path = "../../tests/yaml.rs"]
mod yaml;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::configuration(bytes));
