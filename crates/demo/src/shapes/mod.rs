//! What each kind of object looks like. Every drawing touches all four sides of its box.

#[rustfmt::skip] // A line for each stroke.
mod food_and_play;
#[rustfmt::skip] // A line for each stroke.
mod furnishing;
#[rustfmt::skip] // A line for each stroke.
mod living;
#[rustfmt::skip] // A line for each stroke.
mod vehicles;

use super::canvas::{Brush, Rgb, mix};
use super::kind::Kind;

const INK: Rgb = [40, 38, 44];
const LIGHT: Rgb = [250, 248, 242];
const GLASS: Rgb = [178, 216, 236];

/// Draws an object of this kind in the brush's box.
pub(super) fn draw(brush: &mut Brush, kind: Kind, rgb: Rgb) {
    match kind {
        Kind::Person => living::person(brush, rgb),
        Kind::Dog => living::dog(brush, rgb),
        Kind::Cat => living::cat(brush, rgb),
        Kind::Sheep => living::sheep(brush, rgb),
        Kind::Elephant => living::elephant(brush, rgb),
        Kind::Car => vehicles::car(brush, rgb),
        Kind::Bus => vehicles::bus(brush, rgb),
        Kind::Boat => vehicles::boat(brush, rgb),
        Kind::Airplane => vehicles::airplane(brush, rgb),
        Kind::Kite => food_and_play::kite(brush, rgb),
        Kind::SportsBall => food_and_play::ball(brush, rgb),
        Kind::Pizza => food_and_play::pizza(brush, rgb),
        Kind::Donut => food_and_play::donut(brush, rgb),
        Kind::Umbrella => furnishing::umbrella(brush, rgb),
        Kind::Chair => furnishing::chair(brush, rgb),
        Kind::Couch => furnishing::couch(brush, rgb),
        Kind::Clock => furnishing::clock(brush, rgb),
        Kind::Vase => furnishing::vase(brush, rgb),
    }
}

fn darker(rgb: Rgb) -> Rgb {
    mix(rgb, INK, 0.3)
}

fn lighter(rgb: Rgb) -> Rgb {
    mix(rgb, LIGHT, 0.35)
}
