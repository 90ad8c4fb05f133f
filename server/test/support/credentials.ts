// In charge of tests that need programs which may be missing on a machine: they are skipped there, and `npm test` prints a line
// about them.
import type { TestContext } from 'vitest'
import { findExiftool, findSigning } from '../../../scripts/signing.ts'

/** To be called before each test that needs the library that signs and reads content credentials. */
export const needSigning = ({ skip }: TestContext): void =>
  skip(!findSigning(), 'The library for content credentials is not there.')

/** To be called before each test that needs exiftool. */
export const needExiftool = ({ skip }: TestContext): void => skip(!findExiftool(), 'exiftool is not there.')
