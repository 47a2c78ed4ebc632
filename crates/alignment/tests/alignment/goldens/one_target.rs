//! The target unit of study.json over its folds, and checks of one source and of one control.

use super::inputs::{labels, matrix, trials, unit};
use super::*;
use crate::prelude::*;

const N_FOLDS: usize = 5;
const PREFIXES: usize = 24;

pub(crate) struct Study {
    pub(crate) golden: Value,
    pub(crate) plan: FoldPlan,
    pub(crate) responses: Matrix,
    pub(crate) targets: Vec<PreparedTarget>,
    pub(crate) references: Vec<TargetReference>,
}

/// One source over all folds.
pub(crate) struct Fits {
    pub(crate) sources: Vec<PreparedSource>,
    pub(crate) subspaces: Vec<Subspace>,
    pub(crate) profiles: Vec<FoldProfile>,
    pub(crate) profile: Profile,
    pub(crate) directional: Vec<Vec<f64>>,
}

pub(crate) fn study() -> Study {
    let golden = golden("study.json");
    let inputs = &golden["inputs"];
    let lists = |key: &str| -> Vec<Vec<Vec<usize>>> { serde_json::from_value(inputs[key].clone()).unwrap() };
    let plan =
        FoldPlan::new(75, &integer_lists(&inputs["chunks"]), &lists("inner_folds"), &lists("reference_inner_folds"))
            .unwrap();
    let trials = trials(&inputs["target"]);
    let responses = trials.means();
    let targets = (0..N_FOLDS).map(|f| PreparedTarget::new(&unit(), &responses, &plan, f).unwrap());
    let folds = plan.folds.iter();
    let references = folds.map(|fold| references::reference(&trials, &fold.test, labels(&inputs["labels"])));
    Study {
        targets: targets.collect(),
        references: references.collect(),
        golden,
        plan,
        responses,
    }
}

fn profile(reference: &TargetReference, basis: &Matrix) -> FoldProfile {
    FoldProfile::new(reference, basis, PREFIXES).unwrap().unwrap()
}

fn assert_profile(what: &str, found: &Profile, expected: &Value) {
    assert_all_near(&format!("{what} curve"), &found.top_k, &expected["curve"]);
    let means = [5, 10, 20].map(|k| found.mean(k).unwrap());
    assert_all_near(&format!("{what} means"), &means, &expected["profile_means"]);
    assert_near(&format!("{what} full"), found.full, &expected["full"]);
}

impl Study {
    pub(crate) fn check_source(&self, name: &str) -> Fits {
        let golden = &self.golden[format!("source_{name}")];
        let recipe = &self.golden["inputs"]["sources"][name];
        let features = match recipe.get("stimuli") {
            Some(_) => trials(recipe).means(),
            None => matrix(recipe),
        };
        let n_features = features.n_columns();
        let blocks: Vec<std::ops::Range<usize>> = match self.golden["inputs"]["blocks"].get(name) {
            Some(blocks) => integer_lists(blocks).iter().map(|b| b[0]..b[1]).collect(),
            None => std::iter::once(0..n_features).collect(),
        };
        let (mut sources, mut subspaces, mut profiles) = (vec![], vec![], vec![]);
        let (mut next, mut bases, mut directional, mut accuracies) = (vec![], vec![], vec![], vec![]);
        let mut fixed = [vec![], vec![]];
        for (fold, target) in self.targets.iter().enumerate() {
            let expected = &golden["folds"][fold];
            let what = format!("{name} fold {fold}");
            let source = PreparedSource::new(name, &features, &self.plan, fold).unwrap();
            let scores = cross_validate(&source, target, &SubspaceOptions::default()).unwrap();
            let selection = scores.select().unwrap();
            assert_selection(&what, &selection, &expected["selection"]);
            let subspace = fit(&source, target, &selection).unwrap();
            assert_projector(&what, &subspace.basis, &expected["target"]);
            assert_all_near(&what, &subspace.strengths, &expected["strengths"]);
            let readout = read_out(&source, target, &subspace, &READOUT_ALPHAS).unwrap();
            assert_eq!(readout.alpha, number(&expected["readout_alpha"]), "{what}");
            assert_near(&what, readout.accuracy, &expected["accuracy"]);
            let reference = &self.references[fold];
            let own = profile(reference, &subspace.basis);
            let n = list(&expected["dir_cov"]).len();
            assert_all_near(&what, &own.directional[..n], &expected["dir_cov"]);
            assert_all_near(&what, &own.top_k, &expected["top_k_cov"]);
            assert_near(&what, own.full, &expected["full_ref_cov"]);
            let along = directional_prediction(&source, target, &subspace, &readout, reference, 20).unwrap();
            let n = list(&expected["directional_prediction"]).len();
            assert_all_near(&what, &along[..n], &expected["directional_prediction"]);
            let basis = SourceBasis::new(&source, &features, &subspace).unwrap();
            let shares = basis.block_use(&blocks).unwrap().unwrap();
            assert_all_near(&what, &shares, &expected["block_use"]);
            assert_near_or_none(&what, source_effective_rank(&subspace), &expected["effective_rank"]);
            let options = AuxiliaryReadouts::options();
            let auxiliary = AuxiliaryReadouts::new(&source, target, &options, &READOUT_ALPHAS);
            assert_auxiliary(&what, &auxiliary.unwrap(), &expected["auxiliary"]);
            for (rank, profiles) in [2, 3].into_iter().zip(&mut fixed) {
                let fixed = fit(&source, target, &scores.select_alpha(rank).unwrap()).unwrap();
                profiles.push(profile(reference, &fixed.basis));
            }
            next.push(profile(&self.references[self.plan.next(fold)], &subspace.basis));
            accuracies.push(readout.accuracy);
            directional.push(along[..n].to_vec());
            profiles.push(own);
            bases.push(basis);
            subspaces.push(subspace);
            sources.push(source);
        }
        let mean = accuracies.iter().sum::<f64>() / N_FOLDS as f64;
        assert_near(name, mean, &golden["accuracy"]);
        let own = Profile::of_folds(&profiles).unwrap();
        assert_profile(name, &own, &golden["same_fold"]);
        assert_profile(name, &Profile::of_folds(&next).unwrap(), &golden["next_fold"]);
        for (rank, profiles) in ["2", "3"].into_iter().zip(&fixed) {
            let fixed = Profile::of_folds(profiles).unwrap();
            assert_profile(name, &fixed, &golden["fixed_rank"][rank]);
        }
        let pairs = (0..N_FOLDS).flat_map(|f| (f + 1..N_FOLDS).map(move |g| (f, g)));
        let stability: Vec<f64> = pairs.map(|(f, g)| bases[f].stability(&bases[g]).unwrap().unwrap()).collect();
        assert_all_near(name, &stability, &golden["stability"]);
        Fits {
            sources,
            subspaces,
            profiles,
            profile: own,
            directional,
        }
    }

    pub(crate) fn check_null(&self, name: &str, fits: &Fits, reselect: bool) {
        let key = if reselect { "null_select" } else { "null" };
        let golden = &self.golden[format!("{key}_{name}")];
        let orders: Vec<Vec<Vec<usize>>> =
            serde_json::from_value(self.golden["inputs"]["null_permutations"].clone()).unwrap();
        let by_fold: Vec<Vec<FoldProfile>> = (0..N_FOLDS)
            .map(|fold| {
                let orders: Vec<Vec<usize>> = orders.iter().map(|draw| draw[fold].clone()).collect();
                let (target, reference) = (&self.targets[fold], &self.references[fold]);
                let found = if reselect {
                    let draws = orders.iter().map(|order| {
                        let (plan, options) = (&self.plan, SubspaceOptions::default());
                        let paired = PreparedTarget::paired(&unit(), &self.responses, plan, fold, order)?;
                        let source = &fits.sources[fold];
                        null_profile_reselected(source, &paired, &options, reference, PREFIXES)
                    });
                    draws.collect()
                } else {
                    let selection = &fits.subspaces[fold].selection;
                    null_profiles(&fits.sources[fold], target, selection, reference, &orders, PREFIXES)
                };
                found.unwrap().into_iter().map(Result::unwrap).collect()
            })
            .collect();
        let draws: Vec<Profile> = (0..orders.len())
            .map(|draw| {
                let folds: Vec<FoldProfile> = by_fold.iter().map(|f| f[draw].clone()).collect();
                Profile::of_folds(&folds).unwrap()
            })
            .collect();
        for (draw, expected) in draws.iter().zip(list(&golden["draws"])) {
            let means = [5, 10, 20].map(|k| draw.mean(k).unwrap());
            let found = [means[0], means[1], means[2], draw.full];
            assert_all_near(&format!("{key} {name}"), &found, expected);
        }
        let full: Vec<f64> = draws.iter().map(|draw| draw.full).collect();
        let summary = NullSummary::new(fits.profile.full, &full, NullP::Draws).unwrap();
        assert_null(name, &summary, &golden["full"]);
    }

    pub(crate) fn check_control(&self, name: &str, basis: impl Fn(usize) -> Matrix) {
        let folds = (0..N_FOLDS).map(|f| profile(&self.references[f], &basis(f)));
        let found = Profile::of_folds(&folds.collect::<Vec<_>>()).unwrap();
        assert_profile(name, &found, &self.golden[format!("control_{name}")]);
    }
}
