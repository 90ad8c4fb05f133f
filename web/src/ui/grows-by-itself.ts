// In charge of whether a field for several lines grows with its text by the browser alone.
/** Where the browser does it, a script need not measure, which lays out all of a page that has just been put together. */
export const growsByItself = CSS.supports('field-sizing', 'content')
