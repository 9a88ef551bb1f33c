//! Numbers as JavaScript prints them, in a spelling that every YAML reader takes for a number.

use crate::value::Number;

/// A whole number as it stands in the record; any other in the shortest form that reads back the same.
pub(super) fn number(number: &Number) -> String {
    let text = number.as_str();
    if number.is_whole() {
        // JavaScript knows no negative zero in print.
        return if text == "-0" { "0".to_owned() } else { text.to_owned() };
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => shortest(float),
        // Beyond every float, where readers see no number in the digits any more.
        Ok(float) if float < 0.0 => "-.inf".to_owned(),
        Ok(_) => ".inf".to_owned(),
        Err(_) => text.to_owned(),
    }
}

/// The digits that JavaScript would choose: an exponent only for what is very large or very small.
fn shortest(float: f64) -> String {
    let size = float.abs();
    if float == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&size) { float.to_string() } else { spelled(&format!("{float:e}")) }
}

/// A number with an exponent, with the point and the sign that YAML 1.1 asks for: `1e21` is `1.0e+21`.
fn spelled(text: &str) -> String {
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else { return text.to_owned() };
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with(['+', '-']) { "" } else { "+" };
    format!("{digits}{point}e{sign}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_for_every_reader() {
        let spelled = |json: &str| number(&serde_json::from_str(json).unwrap());
        for (json, yaml) in [
            ("3", "3"),
            ("-0", "0"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1.5", "1.5"),
            ("1.50", "1.5"),
            ("1.0", "1"),
            ("1e3", "1000"),
            ("0.000001", "0.000001"),
            ("1e-7", "1.0e-7"),
            ("2.5E-9", "2.5e-9"),
            ("1e21", "1.0e+21"),
            ("-1.25e300", "-1.25e+300"),
            ("1e400", ".inf"),
            ("-1e999", "-.inf"),
            ("0.1", "0.1"),
            ("-0.0", "0"),
        ] {
            assert_eq!(spelled(json), yaml, "{json}");
        }
    }
}
