//! Device names, and devices that are not there (O2).

use models::DeviceChoice;
use models::device::GpuBackend;

#[test]
fn names_read_back() {
    for name in ["cpu", "cuda:0", "vulkan:3", "wgpu:1"] {
        assert_eq!(name.parse::<DeviceChoice>().unwrap().to_string(), name);
    }
    assert_eq!("cuda".parse(), Ok(DeviceChoice::Gpu(GpuBackend::Cuda, 0)));
}

#[test]
fn other_names_are_refused_with_the_known_ones() {
    for name in ["gpu", "cuda:x", "cpu:1", "", "cuda:-1"] {
        let error = name.parse::<DeviceChoice>().expect_err(name).to_string();
        assert!(
            error.contains("use cpu, cuda:0, vulkan:0 or wgpu:0"),
            "{error}"
        );
    }
}

#[test]
fn a_backend_that_is_not_built_names_the_feature_and_the_way_to_the_cpu() {
    for backend in GpuBackend::ALL
        .into_iter()
        .filter(|backend| !backend.is_built())
    {
        let error = DeviceChoice::Gpu(backend, 0)
            .open()
            .expect_err("not built")
            .to_string();
        assert!(error.contains(&format!("--features {backend}")), "{error}");
        assert!(error.contains("--device cpu"), "{error}");
    }
}

#[test]
fn a_number_beyond_the_devices_found_is_an_error_and_no_fallback() {
    for backend in GpuBackend::ALL
        .into_iter()
        .filter(|backend| backend.is_built())
    {
        let error = DeviceChoice::Gpu(backend, 7_000)
            .open()
            .expect_err("not there")
            .to_string();
        assert!(error.contains("--device cpu"), "{error}");
    }
}

#[test]
fn the_processor_agrees_with_itself() {
    let shape = engine::Shape {
        planes: 3,
        rows: 5,
        columns: 5,
        policy: 7,
        head: engine::Head::Dense,
    };
    models::agreement::check(
        &models::NetConfig::default(),
        shape,
        2,
        &burn::tensor::Device::flex(),
    )
    .unwrap();
}

#[test]
fn a_device_that_computes_something_else_is_found() {
    let right = [
        ("policy", vec![1.0, -2.0]),
        ("value", vec![0.5]),
        ("gradient", vec![3.0, 4.0]),
    ];
    assert!(models::agreement::compare(&right, &right).is_ok());
    let wrong: [(usize, Vec<f32>); 4] = [
        (0, vec![1.0, f32::NAN]),
        (0, vec![1.0]),
        (1, vec![0.502]),
        (2, vec![f32::NAN, f32::NAN]),
    ];
    for (output, numbers) in wrong {
        let mut found = right.clone();
        found[output].1 = numbers;
        let error = models::agreement::compare(&found, &right).expect_err("another answer");
        assert!(error.to_string().contains(right[output].0), "{error}");
    }
}
