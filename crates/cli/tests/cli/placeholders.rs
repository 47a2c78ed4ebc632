//! Every writer marks the numbers of a placeholder model: with a dagger for readers, with a column for programs.

use crate::support::*;

const STEMS: [&str; 4] = ["1", "2", "3", "10"];
/// The name of the metric whose text encoder is a placeholder.
const LABEL: &str = "Cap-Sim";

/// Runs of two systems, `run/near` and `run/far`, with a metric of pixels and one that depends on a placeholder.
fn runs() -> (Folder, String) {
    let dir = folder();
    let mut shown = String::new();
    for (name, grain) in [("near", 20.0), ("far", 120.0)] {
        for side in ["gt", "recon"] {
            let said = ["a dog", "a big dog", "a cat", "two cats sleep"];
            let said = if side == "gt" { ["a dog"; 4] } else { said };
            let texts = std::array::from_fn::<_, 4, _>(|place| (STEMS[place], said[place]));
            write_captions(&dir.join("observed").join(name).join(side), &texts);
            for stem in STEMS {
                let image = picture(stem, 32, if side == "gt" { 0.0 } else { grain });
                write_png(&dir.join(side).join(name).join(format!("{stem}.png")), &image).unwrap();
            }
        }
        let words = format!(
            "score --gt gt/{name} --recon recon/{name} --observations observed/{name} --out run/{name} --metrics ssim,cap_sim \
             --set text_encoder=placeholder --set pixel_size=32"
        );
        shown += &dir.succeed(&words).to_string();
    }
    (dir, shown)
}

/// Lines with the metric's name and an arrow or a decimal number, but without a dagger.
fn unmarked(text: &str) -> Vec<&str> {
    let number = regex::Regex::new(r"\d\.\d|[↑↓]").unwrap();
    let is_unmarked = |line: &&str| number.is_match(line) && !line.contains('†') && !line.contains("dagger");
    text.lines().filter(|line| line.contains(LABEL)).filter(is_unmarked).collect()
}

/// Which lines of a CSV file are marked as depending on a placeholder: for this metric, and for the others.
fn stand_in(csv: &str, id: &str) -> (Vec<bool>, Vec<bool>) {
    let mut lines = csv.lines().map(cells);
    let heads = lines.next().unwrap();
    let place = |name: &str| heads.iter().position(|head| *head == name);
    let (metric, mark) = (place("metric").unwrap(), place("stand_in").unwrap());
    // A difference involves two metrics.
    let other = place("other");
    let is_of = |row: &Vec<&str>| row[metric] == id || other.is_some_and(|at| row[at] == id);
    let (of_placeholder, others): (Vec<_>, Vec<_>) = lines.partition(is_of);
    let marks = |rows: Vec<Vec<&str>>| rows.iter().map(|row| row[mark] == "true").collect();
    (marks(of_placeholder), marks(others))
}

/// The cells of a CSV line; a comma between quotes is a part of its cell.
fn cells(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let between = |letter: char| {
        is_quoted ^= letter == '"';
        letter == ',' && !is_quoted
    };
    line.split(between).collect()
}

#[test]
fn every_writer_of_numbers_marks_those_of_placeholders() {
    let (dir, shown) = runs();
    let compared = dir.succeed("compare run/near run/far --out compared");
    dir.succeed("gallery --recon near=run/near far=run/far --pick 1,10 --metric ssim,cap_sim --out gallery.svg");
    dir.succeed("report run/near run/far --out report.html");

    let mut texts = vec![("score".to_owned(), shown), ("compare".to_owned(), compared.to_string())];
    let mut read = |name: String| texts.push((name.clone(), dir.read(&name)));
    for name in ["run/near/summary", "compared/compare"] {
        read(format!("{name}.md"));
        read(format!("{name}.tex"));
    }
    let figures: Vec<String> =
        dir.names("compared/figures").into_iter().filter(|name| name.ends_with(".svg")).collect();
    assert_eq!(figures.len(), 4, "{figures:?}");
    for name in figures {
        read(format!("compared/figures/{name}"));
    }
    for (name, text) in &texts {
        assert!(text.contains(LABEL), "{name} does not have {LABEL}");
        assert_eq!(unmarked(text), [] as [&str; 0], "{name}");
    }

    // Below every picture of the gallery, for two systems and two pairs.
    let gallery = dir.read("gallery.svg");
    let numbers: Vec<&str> = gallery.lines().filter(|line| line.starts_with(LABEL)).collect();
    assert_eq!(numbers.len(), 4, "{numbers:?}");
    assert!(numbers.iter().all(|line| line.ends_with('†')), "{numbers:?}");
    let other = gallery.lines().filter(|line| line.starts_with("SSIM "));
    assert!(other.clone().count() == 4 && other.clone().all(|line| !line.contains('†')));

    // The same as PDF, whose map from glyphs to letters contains the dagger. PNG files are drawn from the same picture.
    let gallery = "gallery --recon near=run/near far=run/far --pick 1,10 --out gallery.pdf --metric";
    let has_dagger = |file: &str| dir.bytes(file).windows(6).any(|part| part == b"<2020>");
    dir.succeed(&format!("{gallery} ssim"));
    assert!(!has_dagger("gallery.pdf"));
    dir.succeed(&format!("{gallery} ssim,cap_sim --overwrite"));
    assert!(has_dagger("gallery.pdf"));

    // Agreement with people, and a multiverse.
    dir.write("ratings.csv", "item,a,b\n1,1,2\n2,2,3\n3,4,5\n10,5,4\n");
    dir.succeed("meta --human ratings.csv --metrics run/near --permutations 5 --combinations off --worst 0 --no-figures --out meta");
    let meta = dir.read("meta/meta.md");
    let rows = meta.lines().filter(|line| line.starts_with(r"| cap\_sim"));
    assert!(rows.clone().count() > 2 && rows.clone().all(|row| row.starts_with(r"| cap\_sim†")), "{meta}");
    dir.succeed("multiverse gt/near near=recon/near --metrics pixcorr,alexnet2 --set image_models=placeholder --over options --out universe");
    let universe = dir.read("universe/multiverse.md");
    assert!(universe.contains("### AlexNet(2)† under") && universe.contains("### PixCorr under"), "{universe}");
    let curve = dir.read("universe/figures/specification_curve_alexnet2.svg");
    assert!(curve.contains("AlexNet(2)†") && curve.contains("† rests on a placeholder"));

    for (name, id) in [
        ("run/near/summary.csv", "cap_sim"),
        ("compared/compare.csv", "cap_sim"),
        ("compared/differences.csv", "cap_sim"),
        ("meta/meta.csv", "cap_sim"),
        ("universe/multiverse.csv", "alexnet2"),
    ] {
        let (of_placeholder, others) = stand_in(&dir.read(name), id);
        assert!(!of_placeholder.is_empty() && of_placeholder.iter().all(|mark| *mark), "{name}");
        assert!(!others.is_empty() && !others.iter().any(|mark| *mark), "{name}");
    }
    // In a line for each pair, the placeholders are among the columns.
    for name in ["near", "far"] {
        let scores = dir.read(format!("run/{name}/scores.csv"));
        let mut lines = scores.lines();
        assert_eq!(lines.next(), Some("pair,ssim,cap_sim,stand_in"));
        assert!(lines.clone().count() == 4 && lines.all(|line| line.ends_with(",cap_sim")));
    }
    for (id, entry) in dir.json("run/near/summary.json").fields() {
        assert_eq!(entry["stand_in"], id == "cap_sim", "{id}");
    }
    for column in dir.json("compared/compare.json")["columns"].list() {
        assert_eq!(column["stand_in"], column["metric"] == "cap_sim", "{column}");
    }

    // The page without its script; the page's own tests check it with the script.
    let page = dir.read("report.html");
    let (_, page) = page.split_once("<main>").unwrap();
    let (page, _) = page.split_once("</main>").unwrap();
    for part in ["overview", "pairs", "distributions", "comparison"] {
        let (_, section) = page.split_once(&format!("<section id=\"{part}\"")).unwrap();
        let (section, _) = section.split_once("</section>").unwrap();
        let rows: Vec<&str> = section.split("<tr>").filter(|row| row.contains(LABEL)).collect();
        assert!(part != "overview" || !rows.is_empty());
        assert!(rows.iter().all(|row| row.contains('†')), "{part}");
    }
}

/// The titles of the tables in a Markdown file, and the first name in each row with a number.
fn named_rows(markdown: &str) -> Vec<(&str, Vec<&str>)> {
    let tables = markdown.split("\n### ").skip(1).filter_map(|table| table.split_once('\n'));
    tables.map(|(title, rows)| (title, rows.lines().filter_map(name_of_row).collect())).collect()
}

fn name_of_row(line: &str) -> Option<&str> {
    let mut cells = line.strip_prefix("| ")?.split('|').map(str::trim);
    let name = cells.find(|cell| cell.contains(char::is_alphabetic))?;
    let is_number = |cell: &str| cell.contains('.') && cell.contains(|c: char| c.is_ascii_digit());
    cells.any(is_number).then_some(name)
}

#[test]
fn combinations_of_metrics_are_marked_where_one_of_them_rests_on_a_placeholder() {
    let (dir, _) = runs();
    dir.write("ratings.csv", "item,a,b\n1,1,2\n2,2,3\n3,4,5\n10,5,4\n");
    dir.write("own.csv", "item,own\n1,0.3\n2,0.1\n3,0.5\n10,0.7\n");
    dir.write("classes.csv", "item,gt,recon\n1,a,a\n2,a,b\n3,b,b\n10,a,b\n");
    dir.succeed(
        "meta --human ratings.csv --metrics run/near own.csv --higher-is-better own --permutations 5 --resamples 20 --combinations on \
         --composite both=ssim+cap_sim --composite clean=ssim+own --folds 2 --worst 2 --classes classes.csv --out meta",
    );
    let meta = dir.read("meta/meta.md");
    let tables = named_rows(&meta);
    let of_metrics = ["ssim ↑", r"cap\_sim† ↑", "own ↑", "both† ↑", "clean ↑"];
    let without_arrows = of_metrics.map(|name| name.trim_end_matches(" ↑"));
    for (title, expected) in [
        ("Agreement of metrics with people", &of_metrics[..]),
        ("Intervals and chance levels", &of_metrics),
        ("Averages of two metrics", &["ssim", r"cap\_sim†", "own"]),
        ("Weights that follow people", &["ssim", r"cap\_sim†", "own"]),
        ("What each part of both† adds", &["(all parts)†", "+ ssim†", r"+ cap\_sim†"]),
        ("What each part of clean adds", &["(all parts)", "+ ssim", "+ own"]),
        ("Pairs of the same and of different class", &without_arrows),
        ("Worst cases", &without_arrows),
    ] {
        let table = tables.iter().find(|(name, _)| name.starts_with(title));
        let (_, names) = table.unwrap_or_else(|| panic!("{title}: {meta}"));
        assert_eq!(expected.iter().find(|name| !names.contains(name)), None, "{title}: {names:?}");
    }
    // Subsets, and what depends on all metrics.
    let rows = |title: &str| tables.iter().find(|(name, _)| name.starts_with(title)).unwrap().1.clone();
    for name in rows("Average of all metrics") {
        assert!(name.ends_with('†'), "{name}");
    }
    for row in meta.lines().filter(|row| row.contains(" + ") && row.starts_with("| ")) {
        assert_eq!(row.contains("cap"), row.contains(r"cap\_sim†"), "{row}");
    }
    assert!(meta.contains("Kendall τ-b, held out†"), "{meta}");
    // The same in LaTeX, in the figures, and on the page with the tables.
    let latex = dir.read("meta/meta.tex");
    let named = latex.lines().filter(|line| line.contains(r"cap\_sim") && line.contains('&'));
    assert!(named.clone().count() > 8 && named.clone().all(|line| line.contains("dagger")), "{latex}");
    for name in ["agreement", "scatter", "differences", "averages_pearson", "classes"] {
        let figure = dir.read(format!("meta/figures/{name}.svg"));
        assert!(figure.contains("Cap-Sim†") && figure.contains("placeholder"), "{name}");
        assert!(!figure.contains("Cap-Sim<") && !figure.contains("Cap-Sim ↑"), "{name}");
    }
    dir.succeed("report run/near --meta meta --out people.html");
    let page = dir.read("people.html");
    assert!(page.contains("Cap-Sim†<"), "{:?}", lines_with(&page.replace('>', ">\n"), &["Cap-Sim"]));

    // In files for programs.
    let csv = dir.read("meta/meta.csv");
    let mut lines = csv.lines().map(cells);
    let heads = lines.next().unwrap();
    let place = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let rests_on_all = ["best_subset_held_out", "fitted_weights", "equal_weights"];
    let mut n_marked = 0;
    for line in lines {
        let mut names = line[place("metric")].split('+').chain([line[place("other")]]);
        let is_of_all = rests_on_all.iter().any(|kind| line[place("kind")].starts_with(kind));
        let expected = is_of_all || names.any(|name| ["cap_sim", "both"].contains(&name));
        assert_eq!(line[place("stand_in")], expected.to_string(), "{line:?}");
        n_marked += usize::from(expected);
    }
    assert!(n_marked > 100, "{n_marked}");
}

/// An audit of pictures that a placeholder observed: all its numbers depend on that.
#[test]
fn every_number_of_an_audit_by_a_placeholder_is_marked() {
    let (dir, _) = runs();
    dir.succeed(
        "audit --train recon/far --test gt/near --recon recon/near --features placeholder --clusters 2 --out audit",
    );
    let audit = dir.read("audit/audit.md");
    let names: Vec<&str> = named_rows(&audit).into_iter().flat_map(|(_, names)| names).collect();
    assert!(names.len() > 15, "{audit}");
    assert!(names.iter().all(|name| name.ends_with('†')), "{names:?}");
    assert!(audit.contains("† rests on a placeholder model"));
    for name in ["audit.csv", "items.csv"] {
        let csv = dir.read(format!("audit/{name}"));
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().ends_with(",stand_in"), "{name}");
        assert!(lines.clone().count() > 3 && lines.all(|line| line.ends_with(",true")), "{name}");
    }
    let figures: Vec<String> = dir.names("audit/figures").into_iter().filter(|name| name.ends_with(".svg")).collect();
    assert_eq!(figures.len(), 2, "{figures:?}");
    for name in figures {
        let figure = dir.read(format!("audit/figures/{name}"));
        assert!(figure.contains('†') && figure.contains("placeholder"), "{name}");
    }
}
