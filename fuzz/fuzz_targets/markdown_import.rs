//! Fuzzes the property `markdown_import` of `tests/properties.rs`.
#![no_main]

#[path = "../../tests/properties.rs"]
mod properties;
#[path = "../../tests/yaml.rs"]
mod yaml;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::markdown_import(bytes));
