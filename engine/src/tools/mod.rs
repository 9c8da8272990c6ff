//! The tools: one file each, named as the model names it.
