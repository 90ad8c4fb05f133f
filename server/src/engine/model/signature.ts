// In charge of the signature by which two definitions are compared.
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'

/** Equal for equal definitions, regardless of the order of their members. The layout is not included. */
export const signatureOf = (definition: unknown): string => sha256Hex(canonicalJson(definition))
