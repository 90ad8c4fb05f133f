// In charge of choosing the same file twice: browsers report no change if the choice equals the one before.
import type { MouseEvent } from 'react'

/** Properties for the input of a `FileButton`, so that a file that was refused or deleted can be chosen again. */
export const chooseAnew = {
  onClick: (event: MouseEvent<HTMLInputElement>) => {
    event.currentTarget.value = ''
  },
} as const
