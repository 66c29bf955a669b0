//! Every order of events, and random histories of the engine.

mod model;
