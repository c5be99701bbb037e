//! A run allocates nothing.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use inference::{Network, Target};

use crate::sample::{Form, Sample, Shape};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts each thread's allocations, so that tests running beside do not disturb.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_run_allocates_nothing() {
    for form in [Form::Dense, Form::Pairs, Form::Planes] {
        allocates_nothing(Shape {
            form,
            ..Shape::square(9, 6, 2, 32)
        });
    }
}

fn allocates_nothing(shape: Shape) {
    let sample = Sample::new(shape, 5);
    let network = Network::new(&sample.weights()).unwrap();
    let positions = sample.positions(40, 6);
    let largest = network.largest_activations(&positions);
    let quantised = Network::quantised(Target::default(), &sample.weights(), &largest).unwrap();
    for network in [network, quantised] {
        assert_nothing_allocated(&network, &positions);
    }
}

fn assert_nothing_allocated(network: &Network, positions: &[f32]) {
    let mut workspace = network.workspace(40);
    let mut policy = vec![0.0; 40 * network.policy_length()];
    let mut value = vec![0.0; 40 * network.value_length()];
    for count in [40, 1, 17] {
        let before = ALLOCATIONS.get();
        network.run(
            &mut workspace,
            &positions[..count * network.position_length()],
            &mut policy[..count * network.policy_length()],
            &mut value[..count * network.value_length()],
        );
        assert_eq!(ALLOCATIONS.get(), before);
    }
}
