// In charge of reading the JSON files that settings name. If a file is not valid, one error lists all of its faults.
import { readFileSync } from 'node:fs'
import { type CatalogueModel, parseCatalogue } from '@atelier/contract/graph/model-catalogue.ts'
import { defaultLabelRules, type LabelRule, parseLabelRules } from '@atelier/contract/label-rules.ts'
import { defaultVocabulary, parseVocabulary, type Vocabularies } from '@atelier/contract/vocabulary.ts'
import { wordsOf } from './operator-error.ts'

const fail = (why: string): never => {
  throw new Error(why)
}

function jsonFile(path: string | URL): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return fail(`names a file that cannot be read as JSON: ${wordsOf(error)}`)
  }
}

/** Reads the vocabularies in the file at a path; returns the default vocabularies if the path is empty. */
export function vocabulary(path: string): Vocabularies {
  if (path === '') return defaultVocabulary
  const parsed = parseVocabulary(jsonFile(path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : parsed.vocabulary
}

/** Reads the label rules in the file at a path; returns the default rules if the path is empty. */
export function labelRules(path: string): readonly LabelRule[] {
  if (path === '') return defaultLabelRules
  const parsed = parseLabelRules(jsonFile(path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : parsed.rules
}

/** `isOwn` is true if the operator wrote the list; the service trusts the addresses in such a list. */
export type ModelList = { list: readonly CatalogueModel[]; isOwn: boolean }

/** Reads the list of models in the file at a path; if the path is empty, reads the list that ships with the product. */
export function models(path: string): ModelList {
  const parsed = parseCatalogue(jsonFile(path === '' ? new URL('./model-catalogue.json', import.meta.url) : path))
  return 'errors' in parsed ? fail(parsed.errors.join('; ')) : { list: parsed.models, isOwn: path !== '' }
}
