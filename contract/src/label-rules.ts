// In charge of the rules by which markets require a visible label on ads made by models, and of applying the rules to a
// creative. Each rule has a start date and a source, and a deployment may replace all rules. Pure.

/**
 * What a rule applies to. `generated`: anything that a model made. `deepfake` and `synthetic_performer`: creatives that show a deepfake
 * or a synthetic performer. Only a person can confirm or deny that; until then, the rule applies to anything that a model made.
 */
const labelSubjects = ['generated', 'deepfake', 'synthetic_performer'] as const
type LabelSubject = (typeof labelSubjects)[number]

export type LabelRule = {
  /** The id by which creatives and provenance records refer to the rule. */
  id: string
  /** The name of the market, as users read it. */
  market: string
  /** The values of the vocabulary Geo that include the market or a part of it. */
  geos: readonly string[]
  /** The first day on which the label is required, as `YYYY-MM-DD` in UTC. */
  since: string
  subject: LabelSubject
  /** The text of the label by language (BCP 47); `en` is used for all languages that are not listed. */
  words: Readonly<Record<string, string>> & { readonly en: string }
  source: {
    title: string
    url: string
    /** The date on which the rule was last compared with its source, as YYYY-MM-DD. */
    read: string
  }
}

/** Splits a list of geos. A region is listed if a part of the market belongs to it, as an ad for a region runs in all of it. */
const geosOf = (text: string): string[] => text.trim().split(/\s+/)

export const defaultLabelRules: readonly LabelRule[] = [
  {
    id: 'eu',
    market: 'European Union',
    geos: geosOf(`
      EU AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
      AX GF GP MF MQ RE YT
      BALTICS BENELUX CEE DACH EMEA NORDICS T1 T2 T3 UKI WW
    `),
    since: '2026-08-02',
    subject: 'deepfake',
    words: {
      en: 'AI-generated',
      cs: 'Vytvořeno pomocí AI',
      da: 'AI-genereret',
      de: 'KI-generiert',
      es: 'Generado con IA',
      fi: 'Tekoälyn luoma',
      fr: 'Généré par IA',
      it: 'Generato con IA',
      nl: 'AI-gegenereerd',
      pl: 'Wygenerowano przez AI',
      pt: 'Gerado por IA',
      sv: 'AI-genererad',
    },
    source: {
      title: 'Regulation (EU) 2024/1689 (AI Act), Article 50(4)',
      url: 'https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
      read: '2026-11-22',
    },
  },
  {
    id: 'us-ny',
    market: 'New York',
    geos: geosOf('US US-NY NORAM T1 WW'),
    since: '2026-06-09',
    subject: 'synthetic_performer',
    words: { en: 'Features an AI-generated performer', es: 'Con un intérprete generado por IA' },
    source: {
      title: 'New York General Business Law § 396-b, synthetic performers in advertisements',
      url: 'https://www.nysenate.gov/legislation/laws/GBS/396-B',
      read: '2026-11-22',
    },
  },
]

/** Returns the rules whose `geos` contain a geo; the list is empty if the geo is null. */
export const rulesOf = (rules: readonly LabelRule[], geo: string | null): LabelRule[] =>
  geo === null ? [] : rules.filter(({ geos }) => geos.includes(geo))

/** The label's text in a language such as `de-AT`; without a text in `de-AT`, the one in `de`; without that, the English one. */
export const labelWords = ({ words }: LabelRule, language: string | null): string =>
  (language === null ? undefined : (words[language] ?? words[language.split('-', 1)[0] ?? ''])) ?? words.en

/** The known facts about a creative's file. The answers of people are null until somebody has answered. */
export type Marked = {
  /** Whether the file's metadata says that a model made the file or a picture that is a part of the file. */
  has_generated: boolean
  synthetic_performer: boolean | null
  deepfake: boolean | null
  /** A person's answer to whether the file has a visible label. */
  labelled: boolean | null
  /** Ids of the rules whose label the product itself has drawn on the file. */
  drawn: readonly string[]
  /** Ids of the rules that an admin has waived for this creative. */
  waived: readonly string[]
}

export type Demanded = {
  rule: LabelRule
  /**
   * `confirmed`: a person said that the rule applies to the creative. `not_asked`: a model made the creative, and nobody has
   * said yet whether the rule applies. `generated`: the rule applies to everything that a model makes.
   */
  because: 'confirmed' | 'not_asked' | 'generated'
  met: 'drawn' | 'confirmed' | 'waived' | null
}

/**
 * The labels that a creative needs on a day (`YYYY-MM-DD`). A rule about deepfakes or synthetic performers applies if a person
 * has confirmed that the creative shows one, or if no person has answered and a model made the creative. A label that was drawn does
 * not count if a person says that no label is visible.
 */
export function demandsOn(rules: readonly LabelRule[], day: string, marked: Marked): Demanded[] {
  return rules.flatMap((rule): Demanded[] => {
    const because = rule.since > day ? null : reasonFor(rule, marked)
    return because === null ? [] : [{ rule, because, met: metBy(rule, marked) }]
  })
}

function reasonFor({ subject }: LabelRule, marked: Marked): Demanded['because'] | null {
  if (subject === 'generated') return marked.has_generated ? 'generated' : null
  const said = marked[subject]
  if (said !== null) return said ? 'confirmed' : null
  return marked.has_generated ? 'not_asked' : null
}

function metBy({ id }: LabelRule, { labelled, drawn, waived }: Marked): Demanded['met'] {
  if (labelled === true) return 'confirmed'
  if (labelled === null && drawn.includes(id)) return 'drawn'
  return waived.includes(id) ? 'waived' : null
}

type Parsed = { rules: LabelRule[] } | { errors: string[] }

/**
 * Parses a deployment's rules, which replace the defaults. Returns all errors at once, each with its location. With an empty
 * list, no market requires a label.
 */
export function parseLabelRules(raw: unknown): Parsed {
  if (!Array.isArray(raw)) return { errors: ['must be a JSON array of rules; [] for none'] }
  const errors: string[] = []
  const rules = raw.flatMap((rule: unknown, at): LabelRule[] => {
    const problems = problemsOf(rule)
    errors.push(...problems.map((problem) => `[${at}]: ${problem}`))
    return problems.length === 0 && isRule(rule) ? [rule] : []
  })
  const ids = rules.map(({ id }) => id)
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) errors.push(`two rules have the id ${id}`)
  return errors.length > 0 ? { errors } : { rules }
}

const isRule = (raw: unknown): raw is LabelRule => problemsOf(raw).length === 0

const isText = (raw: unknown, most = 100): boolean => typeof raw === 'string' && raw.trim() !== '' && raw.length <= most
const isDay = (raw: unknown): boolean =>
  typeof raw === 'string' && /^\d{4}-\d\d-\d\d$/.test(raw) && !Number.isNaN(Date.parse(raw))
const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)

const members: Readonly<Record<keyof LabelRule, { is: (raw: unknown) => boolean; must: string }>> = {
  id: {
    is: (raw) => typeof raw === 'string' && /^[a-z0-9][a-z0-9-]{0,31}$/.test(raw),
    must: 'be up to 32 of a-z, 0-9 and -',
  },
  market: { is: (raw) => isText(raw), must: 'be the name of the market' },
  geos: {
    is: (raw) => Array.isArray(raw) && raw.length > 0 && raw.every((geo) => isText(geo, 64)),
    must: 'list values of the vocabulary Geo',
  },
  since: { is: isDay, must: 'be a day such as 2026-08-02' },
  subject: {
    is: (raw) => labelSubjects.some((known) => known === raw),
    must: `be one of ${labelSubjects.join(', ')}`,
  },
  words: {
    is: (raw) => isObject(raw) && 'en' in raw && Object.values(raw).every((text) => isText(text, 80)),
    must: 'have the words of the label by language, “en” among them, of 80 characters at most',
  },
  source: {
    is: (raw) => isObject(raw) && isText(raw.title, 200) && isText(raw.url, 500) && isDay(raw.read),
    must: 'have “title”, “url” and the day it was “read”',
  },
}

function problemsOf(raw: unknown): string[] {
  if (!isObject(raw)) return ['must be an object']
  const unknown = Object.keys(raw).filter((name) => !(name in members))
  return [
    ...Object.entries(members).flatMap(([name, { is, must }]) => (is(raw[name]) ? [] : [`${name} must ${must}`])),
    ...unknown.map((name) => `${name} is no member of a rule`),
  ]
}
