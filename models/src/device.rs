//! Which device computes: parsed from the command line, checked before any work begins.

use std::fmt;
use std::str::FromStr;

use burn::tensor::Device;

/// A device as the user names it: `cpu`, `cuda:0`, `vulkan:0` or `wgpu:0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeviceChoice {
    /// The processor, through burn's flex backend.
    #[default]
    Cpu,
    /// The GPU of this number under a GPU backend.
    Gpu(GpuBackend, usize),
}

/// A GPU backend of burn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GpuBackend {
    /// NVIDIA's CUDA.
    Cuda,
    /// Vulkan, on any maker's GPU.
    Vulkan,
    /// Whatever graphics interface wgpu settles on.
    Wgpu,
}

/// A device that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DeviceError {
    /// A name of no known form.
    #[error("'{0}' is not a device: use cpu, cuda:0, vulkan:0 or wgpu:0")]
    Unknown(String),
    /// A backend that the build leaves out.
    #[error(
        "--device {0} needs a build with `--features {1}`, which this one is not; \
         use --device cpu, or build with that feature"
    )]
    NotBuilt(DeviceChoice, GpuBackend),
    /// A backend without such a device.
    #[error("--device {choice}: {found} found; use --device cpu, or one of those found")]
    NotFound {
        /// What was asked for.
        choice: DeviceChoice,
        /// What there is, in words.
        found: String,
    },
}

impl GpuBackend {
    /// Every backend.
    pub const ALL: [GpuBackend; 3] = [GpuBackend::Cuda, GpuBackend::Vulkan, GpuBackend::Wgpu];

    /// The backend's name on the command line and as a cargo feature.
    pub const fn name(self) -> &'static str {
        match self {
            GpuBackend::Cuda => "cuda",
            GpuBackend::Vulkan => "vulkan",
            GpuBackend::Wgpu => "wgpu",
        }
    }

    /// Whether this build has the backend.
    pub const fn is_built(self) -> bool {
        match self {
            GpuBackend::Cuda => cfg!(feature = "cuda"),
            GpuBackend::Vulkan => cfg!(feature = "vulkan"),
            GpuBackend::Wgpu => cfg!(feature = "wgpu"),
        }
    }

    /// The devices that the backend finds on this machine, in the order of their numbers.
    ///
    /// # Errors
    /// The reason why the backend's driver or library cannot be used, in its own words.
    pub fn devices(self) -> Result<Vec<Device>, String> {
        // A missing driver shows as a panic inside the backend.
        let quiet = Quiet::begin();
        let found = std::panic::catch_unwind(|| self.enumerate());
        drop(quiet);
        found.map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied());
            text.unwrap_or("the driver failed")
                .lines()
                .next()
                .unwrap_or_default()
                .to_string()
        })
    }

    fn enumerate(self) -> Vec<Device> {
        match self {
            #[cfg(feature = "cuda")]
            GpuBackend::Cuda => Device::enumerate(burn::tensor::DeviceType::Cuda).into_vec(),
            #[cfg(feature = "vulkan")]
            GpuBackend::Vulkan => Device::enumerate(burn::tensor::DeviceType::Vulkan).into_vec(),
            #[cfg(feature = "wgpu")]
            GpuBackend::Wgpu => Device::enumerate(burn::tensor::DeviceType::Wgpu).into_vec(),
            #[allow(unreachable_patterns)]
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for GpuBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Gpu(backend, number) => write!(f, "{backend}:{number}"),
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<DeviceChoice, DeviceError> {
        if text == "cpu" {
            return Ok(DeviceChoice::Cpu);
        }
        let (name, number) = text.split_once(':').unwrap_or((text, "0"));
        let backend = GpuBackend::ALL
            .into_iter()
            .find(|backend| backend.name() == name);
        match (backend, number.parse()) {
            (Some(backend), Ok(number)) => Ok(DeviceChoice::Gpu(backend, number)),
            _ => Err(DeviceError::Unknown(text.to_string())),
        }
    }
}

impl DeviceChoice {
    /// Whether this is the processor.
    pub fn is_cpu(self) -> bool {
        self == DeviceChoice::Cpu
    }

    /// The device itself, checked to exist. There is no fallback to another device.
    ///
    /// # Errors
    /// A backend that is not built or finds no such device.
    pub fn open(self) -> Result<Device, DeviceError> {
        let DeviceChoice::Gpu(backend, number) = self else {
            return Ok(Device::flex());
        };
        if !backend.is_built() {
            return Err(DeviceError::NotBuilt(self, backend));
        }
        let found = match backend.devices() {
            Ok(devices) => match devices.get(number) {
                Some(device) => return Ok(device.clone()),
                None => format!("{} {backend} devices", devices.len()),
            },
            Err(reason) => format!("no usable {backend} driver ({reason})"),
        };
        Err(DeviceError::NotFound {
            choice: self,
            found,
        })
    }
}

/// Silences the panic hook while a backend is probed.
struct Quiet(Option<Hook>);

type Hook = Box<dyn Fn(&std::panic::PanicHookInfo<'_>) + Sync + Send + 'static>;

impl Quiet {
    fn begin() -> Quiet {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        Quiet(Some(hook))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        if let Some(hook) = self.0.take() {
            std::panic::set_hook(hook);
        }
    }
}
