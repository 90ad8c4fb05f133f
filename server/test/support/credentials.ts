// In charge of skipping a test that needs a program or a library which is missing on this machine; `npm test` prints a line about
// each that is missing.
import type { TestContext } from 'vitest'
import { findExiftool, findSigning } from '../../../scripts/signing.ts'

/** Skips the current test if the library that signs and reads content credentials is missing. */
export const needSigning = ({ skip }: TestContext): void =>
  skip(!findSigning(), 'The library for content credentials is not there.')

/** Skips the current test if exiftool is missing. */
export const needExiftool = ({ skip }: TestContext): void => skip(!findExiftool(), 'exiftool is not there.')
