// In charge of checking whether the browser itself can make a multi-line field as high as the field's text.
/** If true, no script has to measure the field; to measure it would force the browser to lay out the whole page first. */
export const growsByItself = CSS.supports('field-sizing', 'content')
