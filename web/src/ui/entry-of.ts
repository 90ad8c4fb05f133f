// In charge of telling the entries of the browser's history apart: one page may be in it more than once.
import type { ParsedLocation } from '@tanstack/react-router'

/** The key of the entry that a location is; it is the same after a reload. */
export const entryOf = ({ state: { __TSR_key: key }, href }: ParsedLocation): string => key ?? href
