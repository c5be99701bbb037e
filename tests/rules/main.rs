//! Rules, notation and encodings: golden files, drawn cases, conformance, and slow twins.
