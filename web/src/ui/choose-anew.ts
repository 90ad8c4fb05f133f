// In charge of letting the user choose the same file twice in a row: by default, browsers report no change the second time.
import type { MouseEvent } from 'react'

/** Props for the input of a `FileButton`. With them, a file that was refused or deleted can be chosen again. */
export const chooseAnew = {
  onClick: (event: MouseEvent<HTMLInputElement>) => {
    event.currentTarget.value = ''
  },
} as const
