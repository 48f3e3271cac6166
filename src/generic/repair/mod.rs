//! Repair of ill-formed text: conversion with replacements for ill-formed sequences.

pub(crate) mod placeholders;
pub(crate) mod sequences;
pub(crate) mod utf16;
pub(crate) mod utf8;
