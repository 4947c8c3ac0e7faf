//! The word list, tables and network that the feature `embedded` builds in, all for `enable2k` and the English tiles.

/// The embedded files as bytes and text.
pub(crate) struct Files {
    /// The words, gzipped text.
    pub(crate) words: &'static [u8],
    /// The leave table, gzipped klv2, and its adjustments for few tiles in the bag, CSV.
    pub(crate) leaves: (&'static [u8], &'static str),
    /// The win table, gzipped CSV.
    pub(crate) win_percentage: &'static [u8],
    /// The settings of the network, TOML, and its weights, safetensors.
    pub(crate) network: (&'static str, &'static [u8]),
}

/// The files, or `None` in a build without them.
#[cfg(feature = "embedded")]
pub(crate) const FILES: Option<Files> = Some(Files {
    words: tilewright_lexicons::WORDS,
    leaves: (tilewright_lexicons::LEAVES, tilewright_lexicons::LATE),
    win_percentage: tilewright_lexicons::WIN_PERCENTAGE,
    network: (tilewright_lexicons::NETWORK, tilewright_lexicons::NETWORK_TENSORS),
});
#[cfg(not(feature = "embedded"))]
pub(crate) const FILES: Option<Files> = None;
