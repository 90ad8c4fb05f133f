// In charge of the rules by which markets demand a visible label on ads that models made: a dated table that a deployment
// may replace, and what it demands of a creative. Pure.

/** What a rule is about: pictures of a model at large, or what a person confirms of one. */
const labelSubjects = ['generated', 'deepfake', 'synthetic_performer'] as const
type LabelSubject = (typeof labelSubjects)[number]

export type LabelRule = {
  /** What creatives and provenance name it by. */
  id: string
  /** The market, as people read it. */
  market: string
  /** Values of the vocabulary Geo that reach it. */
  geos: readonly string[]
  /** The first day it is demanded, as `YYYY-MM-DD` in UTC. */
  since: string
  subject: LabelSubject
  /** The words of the label by language (BCP 47); `en` where there is none for a language. */
  words: Readonly<Record<string, string>> & { readonly en: string }
  source: { title: string; url: string /** The day it was looked up. */; read: string }
}

/** Regions of several countries count where one of them is in the market: they are what an ad is run in. */
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

/** The rules of the markets that a geo reaches; none where it is not known. */
export const rulesOf = (rules: readonly LabelRule[], geo: string | null): LabelRule[] =>
  geo === null ? [] : rules.filter(({ geos }) => geos.includes(geo))

/** The words of a rule in a language such as `de-AT`. */
export const labelWords = ({ words }: LabelRule, language: string | null): string =>
  (language === null ? undefined : (words[language] ?? words[language.split('-', 1)[0] ?? ''])) ?? words.en

/** What is known of the file of a creative. A person's answer is null as long as there is none. */
export type Marked = {
  /** Whether the file says that a model made it or a picture in it. */
  has_generated: boolean
  synthetic_performer: boolean | null
  deepfake: boolean | null
  /** Whether a person sees a label on it. */
  labelled: boolean | null
  /** Ids of the rules whose label was drawn on it. */
  drawn: readonly string[]
  /** Ids of the rules that an admin lets it pass. */
  waived: readonly string[]
}

export type Demanded = {
  rule: LabelRule
  /** `confirmed`: a person said that it shows this. `not_asked`: a model made it, and a person has not said. */
  because: 'confirmed' | 'not_asked' | 'generated'
  met: 'drawn' | 'confirmed' | 'waived' | null
}

/**
 * The labels that a creative needs on a day. What a model made needs them until a person has said that the rule is not
 * about it; what no model made needs none unless a person says so. A person who sees no label is believed over the record.
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

/** A deployment's rules, in place of the defaults; all errors at once, each saying where. `[]`: no market demands any. */
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
