// In charge of tests that need programs which a machine may lack: they are left out there, and `npm test` says so in a line.
import type { TestContext } from 'vitest'
import { findExiftool, findSigning } from '../../../scripts/signing.ts'

/** Before each test that needs the library that signs and reads content credentials. */
export const needSigning = ({ skip }: TestContext): void =>
  skip(!findSigning(), 'The library for content credentials is not there.')

/** Before each test that needs exiftool. */
export const needExiftool = ({ skip }: TestContext): void => skip(!findExiftool(), 'exiftool is not there.')
