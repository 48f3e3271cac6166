//! Repair of ill-formed text: conversion with replacements for ill-formed sequences.

pub(crate) mod sequences;
pub(crate) mod utf16;
pub(crate) mod utf8;

/// How far a repair got, in bytes of input and output, and the number of replaced sequences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RepairReach {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) repairs: usize,
}

impl RepairReach {
    /// No progress.
    pub(crate) const NONE: Self = Self { read: 0, written: 0, repairs: 0 };
}
