// In charge of the bounds of pictures that are opened: known outside the threads too, which load no library for them.

/** What is opened at all. 50 megapixels are a print-size photo; a decompression bomb has a thousand times more. */
export const pictureLimits = { bytes: 50_000_000, pixels: 50_000_000, seconds: 30 } as const
