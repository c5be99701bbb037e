//! The plan of a search at a Gumbel root: sequential halving.

/// The plan of a Gumbel root: each move's noise and logit together, and for each simulation how many
/// visits the moves among which it chooses have had.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    pub noisy_logits: Vec<f64>,
    pub visits: Vec<u32>,
}

impl Schedule {
    /// Sequential halving (Karnin et al. 2013): for each simulation the visit count at which it chooses.
    pub fn plan(&mut self, considered: u32, simulations: u32) {
        let visits = &mut self.visits;
        visits.clear();
        let rounds = considered.max(2).next_power_of_two().ilog2();
        let mut left = considered;
        let mut level = 0;
        while visits.len() < simulations as usize {
            let each = (simulations / (rounds * left)).max(1);
            for _ in 0..each {
                visits.extend(std::iter::repeat_n(level, left as usize));
                level += 1;
            }
            left = (left / 2).max(2).min(considered);
        }
        visits.truncate(simulations as usize);
    }
}
