// In charge of whether the browser can resize a multi-line field with its text.
/** If it can, no script has to measure the field, which would force a layout of the whole new page. */
export const growsByItself = CSS.supports('field-sizing', 'content')
