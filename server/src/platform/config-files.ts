// In charge of reading the JSON files that settings name, and of looking whether a path can be that of a folder. If a file is not valid,
// one error lists all of its faults.
import { readFileSync, type Stats, statSync } from 'node:fs'
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

/**
 * Parses the path of a folder, which need not exist yet. A path of a file is refused here, because the start of the service sets the
 * mode of whatever is at the path before it opens it. Other problems, such as missing rights, are reported when the folder is opened.
 */
export function folder(path: string): string {
  const found = statOf(path)
  return found === null || found.isDirectory() ? path : fail(`must be the path of a folder: ${path} is none`)
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
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
  if ('errors' in parsed) return fail(parsed.errors.join('; '))
  return parsed.models.length === 0
    ? fail('names a file that lists no model')
    : { list: parsed.models, isOwn: path !== '' }
}
