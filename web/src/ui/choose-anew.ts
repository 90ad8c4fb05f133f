// In charge of a file that is chosen twice: browsers tell nothing of a choice that equals the one before.
import type { MouseEvent } from 'react'

/** Props for the input of a `FileButton`: what was refused or deleted can be chosen again. */
export const chooseAnew = {
  onClick: (event: MouseEvent<HTMLInputElement>) => {
    event.currentTarget.value = ''
  },
} as const
