//! Who may do what: what a call would touch, what the rules say of it, and the proof that it may run.
//!
//! Knows nothing of tools' insides, of models or of the store. The only way to a [`Permit`] leads
//! through [`gate`].

pub(crate) mod access;
pub(crate) mod gate;
pub(crate) mod permit;
pub(crate) mod policy;

pub(crate) use access::Access;
pub(crate) use permit::Permit;
