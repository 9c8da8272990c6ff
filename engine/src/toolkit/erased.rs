//! Tools of different types behind one face.
