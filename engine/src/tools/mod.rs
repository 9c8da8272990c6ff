//! The tools: one file each, named as the model names it.

pub(crate) mod files_list;
pub(crate) mod files_mkdir;
pub(crate) mod files_move;
pub(crate) mod files_read;
pub(crate) mod files_replace;
pub(crate) mod files_search;
pub(crate) mod files_trash;
pub(crate) mod files_write;
