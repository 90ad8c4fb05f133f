// In charge of checking whether the browser itself can make a multi-line field as high as the field's text.
/** If true, no script has to measure a field, which would force the browser to compute the layout of the whole page. */
export const growsByItself = CSS.supports('field-sizing', 'content')
