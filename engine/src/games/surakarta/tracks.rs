//! Loop captures: the two tracks as cycles of 24 stops, scanned bit by bit in both directions.
//!
//! With k = 1 for the inner track and k = 2 for the outer one, counted from 0, a track consists of
//! four lines, travelled in this order (S2):
//!
//! ```text
//! stops  0– 5   row k       rightwards   then the arc bottom right
//! stops  6–11   column 5−k  upwards      then the arc top right
//! stops 12–17   row 5−k     leftwards    then the arc top left
//! stops 18–23   column k    downwards    then the arc bottom left, back to stop 0
//! ```
//!
//! An arc lies between two stops exactly where the number of the line, `stop / 6`, changes.
//! The rows of a track cross its columns in four points, each of which is two stops.

use super::board::{SIZE, Square};

/// Stops of a track.
const STOPS: usize = 24;

/// Stops of a line.
const LINE: u32 = 6;

/// One of the two tracks (S2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Track {
    /// Rows 2 and 5, columns B and E; attribute b of S3.
    Inner,
    /// Rows 3 and 4, columns C and D; attribute g of S3.
    Outer,
}

impl Track {
    /// Both tracks.
    pub const BOTH: [Track; 2] = [Track::Inner, Track::Outer];

    /// The 24 stops in order of travel; after the last comes the first again.
    pub const fn stops(self) -> &'static [Square; STOPS] {
        &CYCLES[self as usize]
    }

    /// The 20 points of the track, as a bitboard.
    pub(super) const fn points(self) -> u64 {
        let mut points = 0;
        let mut stop = 0;
        while stop < STOPS {
            points |= self.stops()[stop].mask();
            stop += 1;
        }
        points
    }
}

static CYCLES: [[Square; STOPS]; 2] = [cycle(1), cycle(2)];

const fn cycle(k: u8) -> [Square; STOPS] {
    const END: u8 = SIZE - 1;
    let mut stops = [Square::new(0, 0); STOPS];
    let mut step = 0;
    while step < SIZE {
        let at = step as usize;
        stops[at] = Square::new(step, k);
        stops[at + 6] = Square::new(END - k, step);
        stops[at + 12] = Square::new(END - step, END - k);
        stops[at + 18] = Square::new(k, END - step);
        step += 1;
    }
    stops
}

/// A stop of a track.
#[derive(Clone, Copy)]
struct Place {
    track: Track,
    stop: u8,
}

/// Where a point lies on the tracks: at most once on its row and once on its column.
#[derive(Clone, Copy)]
struct Places {
    /// The first `count` entries count; the row comes before the column.
    places: [Place; 2],
    count: u8,
    /// The point's stops on the inner and the outer track.
    own: [u32; 2],
}

impl Places {
    #[inline]
    fn list(&self) -> &[Place] {
        &self.places[..usize::from(self.count & 3).min(2)]
    }

    /// The stops of a ring without those of the point itself: it counts as empty in flight (S5).
    #[inline]
    fn others(&self, rings: &Rings, track: Track) -> u32 {
        rings.0[track as usize] & !self.own[track as usize]
    }
}

static PLACES: [Places; 64] = places();

const fn places() -> [Places; 64] {
    const NONE: Place = Place {
        track: Track::Inner,
        stop: 0,
    };
    const NOWHERE: Places = Places {
        places: [NONE; 2],
        count: 0,
        own: [0; 2],
    };
    let mut table = [NOWHERE; 64];
    // Lines 0 and 2 of a track are rows, 1 and 3 columns: rows are entered first.
    let lines = [0, 2, 1, 3];
    let mut line = 0;
    while line < 4 {
        let mut track = 0;
        while track < 2 {
            let mut step = 0;
            while step < 6 {
                let stop = lines[line] * 6 + step;
                let entry = &mut table[CYCLES[track][stop].bit()];
                entry.places[entry.count as usize] = Place {
                    track: Track::BOTH[track],
                    stop: stop as u8,
                };
                entry.count += 1;
                entry.own[track] |= 1 << stop;
                step += 1;
            }
            track += 1;
        }
        line += 1;
    }
    table
}

/// The occupied stops of both tracks, bit n for stop n.
pub(super) struct Rings([u32; 2]);

impl Rings {
    /// Gathers the stones that lie on the tracks.
    #[inline]
    pub(super) fn of(stones: u64) -> Rings {
        Rings([ring(stones, 1), ring(stones, 2)])
    }
}

#[inline]
fn ring(stones: u64, k: u32) -> u32 {
    let end = LINE - 1;
    row(stones, k)
        | column(stones, end - k) << LINE
        | backwards(row(stones, end - k)) << (2 * LINE)
        | column_downwards(stones, k) << (3 * LINE)
}

#[inline]
fn row(stones: u64, row: u32) -> u32 {
    (stones >> (8 * row)) as u32 & 0x3f
}

#[inline]
fn backwards(line: u32) -> u32 {
    line.reverse_bits() >> (32 - LINE)
}

/// Bits of column A from row 1 to row 6.
const COLUMN: u64 = 0x0101_0101_0101;

/// Moves bit 8i of a column to bit 40 + i; all products fall on different bits, so nothing carries.
const UPWARDS: u64 = 1 << 40 | 1 << 33 | 1 << 26 | 1 << 19 | 1 << 12 | 1 << 5;

/// Moves bit 8i of a column to bit 45 − i, likewise.
const DOWNWARDS: u64 = 1 << 45 | 1 << 36 | 1 << 27 | 1 << 18 | 1 << 9 | 1;

#[inline]
fn column(stones: u64, column: u32) -> u32 {
    (((stones >> column) & COLUMN).wrapping_mul(UPWARDS) >> 40) as u32 & 0x3f
}

#[inline]
fn column_downwards(stones: u64, column: u32) -> u32 {
    (((stones >> column) & COLUMN).wrapping_mul(DOWNWARDS) >> 40) as u32 & 0x3f
}

/// The enemies that a stone on `from` can take (S5); `rings` holds the stones of both sides.
#[inline]
pub(super) fn victims(from: Square, rings: &Rings, enemies: u64) -> u64 {
    let places = &PLACES[from.bit()];
    let mut met = 0;
    for place in places.list() {
        let ring = places.others(rings, place.track);
        let stops = place.track.stops();
        let stop = u32::from(place.stop);
        for distance in [ahead(ring, stop), behind(ring, stop)]
            .into_iter()
            .flatten()
        {
            met |= stops[distance.end(stop)].mask();
        }
    }
    // S5: an own stone met first ends that direction.
    met & enemies
}

/// How far a flight goes along a track: forwards if positive, 1 to 23 stops either way.
#[derive(Clone, Copy)]
struct Distance(i32);

impl Distance {
    #[inline]
    fn end(self, stop: u32) -> usize {
        let end = stop as i32 + self.0;
        let stops = STOPS as i32;
        (if end < 0 {
            end + stops
        } else if end >= stops {
            end - stops
        } else {
            end
        }) as usize
    }
}

/// The way forwards to the first occupied stop, if it passes an arc. `stop` itself is empty.
#[inline]
fn ahead(ring: u32, stop: u32) -> Option<Distance> {
    let distance = (twice(ring) >> (stop + 1)).trailing_zeros() + 1;
    (ring != 0 && stop % LINE + distance >= LINE).then_some(Distance(distance as i32))
}

/// The way backwards to the first occupied stop, if it passes an arc. `stop` itself is empty.
#[inline]
fn behind(ring: u32, stop: u32) -> Option<Distance> {
    // Bit stop + 23 is the stop before this one in the second lap.
    let distance = (twice(ring) << (40 - stop)).leading_zeros() + 1;
    (ring != 0 && distance > stop % LINE).then_some(Distance(-(distance as i32)))
}

/// Two laps, so that a scan needs no wrapping.
#[inline]
fn twice(ring: u32) -> u64 {
    u64::from(ring) | u64::from(ring) << STOPS
}

/// The points where a flight leaves the grid onto an arc, in order of travel (S10).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    exits: [Square; 4],
    arcs: u8,
}

impl Route {
    /// One point for each arc passed, 1 to 4.
    pub fn exits(&self) -> &[Square] {
        &self.exits[..usize::from(self.arcs)]
    }

    /// The names of the exit points, `F2 D6`.
    pub(super) fn text(&self) -> String {
        let names: Vec<_> = self.exits().iter().map(|exit| exit.name()).collect();
        names.join(" ")
    }

    fn along(place: Place, distance: Distance) -> Route {
        let stops = place.track.stops();
        let mut route = Route {
            exits: [stops[0]; 4],
            arcs: 0,
        };
        let forwards = distance.0 > 0;
        for passed in 0..distance.0.abs() {
            let at = Distance(passed * distance.0.signum()).end(place.stop.into());
            // The last stop of a line before an arc: its end, or on the way back its beginning.
            if at as u32 % LINE == if forwards { LINE - 1 } else { 0 } {
                route.exits[usize::from(route.arcs)] = stops[at];
                route.arcs += 1;
            }
        }
        route
    }
}

/// All routes of a stone on `from` to an enemy on `to`, in the order left, right, down, up (S10).
pub(super) fn routes(from: Square, to: Square, rings: &Rings) -> impl Iterator<Item = Route> {
    let places = &PLACES[from.bit()];
    places.list().iter().flat_map(move |&place| {
        let ring = places.others(rings, place.track);
        let stop = u32::from(place.stop);
        let mut ways = [behind(ring, stop), ahead(ring, stop)];
        // The first two lines run right and up, the other two left and down.
        if stop >= 2 * LINE {
            ways.reverse();
        }
        ways.into_iter()
            .flatten()
            .filter(move |distance| place.track.stops()[distance.end(stop)] == to)
            .map(move |distance| Route::along(place, distance))
    })
}
