// In charge of whether a field for several lines grows with its text by the browser alone.
/** Where the browser resizes the field itself, a script need not measure it, which would lay out the whole new page. */
export const growsByItself = CSS.supports('field-sizing', 'content')
