// In charge of the vocabularies: lists of allowed values, each of which a deployment may replace.

/** The name of every vocabulary. AutomationState is not listed: a deployment cannot replace it, so it is in enums.ts. */
export const vocabularyNames = [
  'TaskType',
  'WorkStream',
  'MediaType',
  'Resolution',
  'Geo',
  'Language',
  'PrimaryAnchor',
  'AwarenessStage',
  'MessagingAngle',
  'HookTrigger',
  'HookType',
  'AdFormat',
  'TrafficFlow',
  'VariedElement',
  'Source',
] as const
export type VocabularyName = (typeof vocabularyNames)[number]

/** `value` is used in the API and the database; `label` is the text that users read. */
type VocabularyEntry = { value: string; label: string }

/** All vocabularies of a deployment. Lists that are sorted by a vocabulary's field use the order of the entries. */
export type Vocabularies = Record<VocabularyName, readonly VocabularyEntry[]>

/** The default of the member `source` in the contract; so the vocabulary Source of every deployment must contain this value. */
const defaultSource = 'META'

const resolution = `
  1080x1080: Square 1:1 (1080×1080); 1200x1200: Square 1:1 (1200×1200); 1080x1350: Portrait 4:5 (1080×1350);
  1080x1920: Vertical 9:16 (1080×1920); 720x1280: Vertical 9:16 (720×1280); 1000x1500: Pin 2:3 (1000×1500);
  1920x1080: Landscape 16:9 (1920×1080); 1280x720: Landscape 16:9 (1280×720); 3840x2160: Landscape 4K (3840×2160);
  1200x628: Link 1.91:1 (1200×628); 1200x300: Landscape 4:1 (1200×300); 300x250: Medium rectangle (300×250);
  336x280: Large rectangle (336×280); 250x250: Square display (250×250); 200x200: Small square (200×200);
  728x90: Leaderboard (728×90); 970x90: Large leaderboard (970×90); 970x250: Billboard (970×250);
  468x60: Banner (468×60); 120x600: Skyscraper (120×600); 160x600: Wide skyscraper (160×600);
  300x600: Half page (300×600); 300x1050: Portrait display (300×1050); 300x50: Small mobile banner (300×50);
  320x50: Mobile banner (320×50); 320x100: Large mobile banner (320×100); 320x480: Mobile interstitial (320×480);
  480x320: Mobile interstitial, landscape (480×320); 768x1024: Tablet interstitial (768×1024);
  1024x768: Tablet interstitial, landscape (1024×768)
`

// Markets that are not countries. A two-letter value here must not be the code of a country: ISO 3166-1 assigns WW, which ad
// accounts use, to no country, and reserves EU for the European Union. North America is NORAM, because NA is Namibia.
const markets = `
  WW: Worldwide; T1: Tier 1 markets; T2: Tier 2 markets; T3: Tier 3 markets; EU: European Union; EMEA: EMEA;
  APAC: Asia-Pacific; LATAM: Latin America; NORAM: North America; MENA: Middle East & North Africa; GCC: Gulf states;
  SEA: Southeast Asia; ANZ: Australia & New Zealand; UKI: United Kingdom & Ireland;
  DACH: Germany, Austria, Switzerland; BENELUX: Benelux; NORDICS: Nordics; BALTICS: Baltics;
  CEE: Central & Eastern Europe; SSA: Sub-Saharan Africa
`

/** The country codes of ISO 3166-1 alpha-2 in alphabetical order, and XK, which is commonly used for Kosovo. */
const countries = `
  AD: Andorra; AE: United Arab Emirates; AF: Afghanistan; AG: Antigua & Barbuda; AI: Anguilla; AL: Albania;
  AM: Armenia; AO: Angola; AQ: Antarctica; AR: Argentina; AS: American Samoa; AT: Austria; AU: Australia; AW: Aruba;
  AX: Åland Islands; AZ: Azerbaijan; BA: Bosnia & Herzegovina; BB: Barbados; BD: Bangladesh; BE: Belgium;
  BF: Burkina Faso; BG: Bulgaria; BH: Bahrain; BI: Burundi; BJ: Benin; BL: St. Barthélemy; BM: Bermuda; BN: Brunei;
  BO: Bolivia; BQ: Caribbean Netherlands; BR: Brazil; BS: Bahamas; BT: Bhutan; BV: Bouvet Island; BW: Botswana;
  BY: Belarus; BZ: Belize; CA: Canada; CC: Cocos (Keeling) Islands; CD: Congo (DRC); CF: Central African Republic;
  CG: Congo (Republic); CH: Switzerland; CI: Côte d’Ivoire; CK: Cook Islands; CL: Chile; CM: Cameroon; CN: China;
  CO: Colombia; CR: Costa Rica; CU: Cuba; CV: Cape Verde; CW: Curaçao; CX: Christmas Island; CY: Cyprus; CZ: Czechia;
  DE: Germany; DJ: Djibouti; DK: Denmark; DM: Dominica; DO: Dominican Republic; DZ: Algeria; EC: Ecuador; EE: Estonia;
  EG: Egypt; EH: Western Sahara; ER: Eritrea; ES: Spain; ET: Ethiopia; FI: Finland; FJ: Fiji; FK: Falkland Islands;
  FM: Micronesia; FO: Faroe Islands; FR: France; GA: Gabon; GB: United Kingdom; GD: Grenada; GE: Georgia;
  GF: French Guiana; GG: Guernsey; GH: Ghana; GI: Gibraltar; GL: Greenland; GM: Gambia; GN: Guinea; GP: Guadeloupe;
  GQ: Equatorial Guinea; GR: Greece; GS: South Georgia & South Sandwich Islands; GT: Guatemala; GU: Guam;
  GW: Guinea-Bissau; GY: Guyana; HK: Hong Kong; HM: Heard & McDonald Islands; HN: Honduras; HR: Croatia; HT: Haiti;
  HU: Hungary; ID: Indonesia; IE: Ireland; IL: Israel; IM: Isle of Man; IN: India; IO: British Indian Ocean Territory;
  IQ: Iraq; IR: Iran; IS: Iceland; IT: Italy; JE: Jersey; JM: Jamaica; JO: Jordan; JP: Japan; KE: Kenya;
  KG: Kyrgyzstan; KH: Cambodia; KI: Kiribati; KM: Comoros; KN: St. Kitts & Nevis; KP: North Korea; KR: South Korea;
  KW: Kuwait; KY: Cayman Islands; KZ: Kazakhstan; LA: Laos; LB: Lebanon; LC: St. Lucia; LI: Liechtenstein;
  LK: Sri Lanka; LR: Liberia; LS: Lesotho; LT: Lithuania; LU: Luxembourg; LV: Latvia; LY: Libya; MA: Morocco;
  MC: Monaco; MD: Moldova; ME: Montenegro; MF: St. Martin; MG: Madagascar; MH: Marshall Islands; MK: North Macedonia;
  ML: Mali; MM: Myanmar; MN: Mongolia; MO: Macao; MP: Northern Mariana Islands; MQ: Martinique; MR: Mauritania;
  MS: Montserrat; MT: Malta; MU: Mauritius; MV: Maldives; MW: Malawi; MX: Mexico; MY: Malaysia; MZ: Mozambique;
  NA: Namibia; NC: New Caledonia; NE: Niger; NF: Norfolk Island; NG: Nigeria; NI: Nicaragua; NL: Netherlands;
  NO: Norway; NP: Nepal; NR: Nauru; NU: Niue; NZ: New Zealand; OM: Oman; PA: Panama; PE: Peru; PF: French Polynesia;
  PG: Papua New Guinea; PH: Philippines; PK: Pakistan; PL: Poland; PM: St. Pierre & Miquelon; PN: Pitcairn Islands;
  PR: Puerto Rico; PS: Palestine; PT: Portugal; PW: Palau; PY: Paraguay; QA: Qatar; RE: Réunion; RO: Romania;
  RS: Serbia; RU: Russia; RW: Rwanda; SA: Saudi Arabia; SB: Solomon Islands; SC: Seychelles; SD: Sudan; SE: Sweden;
  SG: Singapore; SH: St. Helena; SI: Slovenia; SJ: Svalbard & Jan Mayen; SK: Slovakia; SL: Sierra Leone;
  SM: San Marino; SN: Senegal; SO: Somalia; SR: Suriname; SS: South Sudan; ST: São Tomé & Príncipe; SV: El Salvador;
  SX: Sint Maarten; SY: Syria; SZ: Eswatini; TC: Turks & Caicos Islands; TD: Chad; TF: French Southern Territories;
  TG: Togo; TH: Thailand; TJ: Tajikistan; TK: Tokelau; TL: Timor-Leste; TM: Turkmenistan; TN: Tunisia; TO: Tonga;
  TR: Türkiye; TT: Trinidad & Tobago; TV: Tuvalu; TW: Taiwan; TZ: Tanzania; UA: Ukraine; UG: Uganda;
  UM: U.S. Outlying Islands; US: United States; UY: Uruguay; UZ: Uzbekistan; VA: Vatican City;
  VC: St. Vincent & Grenadines; VE: Venezuela; VG: British Virgin Islands; VI: U.S. Virgin Islands; VN: Vietnam;
  VU: Vanuatu; WF: Wallis & Futuna; WS: Samoa; XK: Kosovo; YE: Yemen; YT: Mayotte; ZA: South Africa; ZM: Zambia;
  ZW: Zimbabwe
`

// Language codes of BCP 47. Chinese has one entry for each script, because ads differ by script; zxx means “no language”.
const language = `
  en: English; en-US: English (United States); en-GB: English (United Kingdom); en-CA: English (Canada);
  en-AU: English (Australia); en-IN: English (India); es: Spanish; es-ES: Spanish (Spain);
  es-419: Spanish (Latin America); es-MX: Spanish (Mexico); es-US: Spanish (United States);
  es-AR: Spanish (Argentina); pt: Portuguese; pt-BR: Portuguese (Brazil); pt-PT: Portuguese (Portugal); fr: French;
  fr-FR: French (France); fr-CA: French (Canada); fr-BE: French (Belgium); fr-CH: French (Switzerland); de: German;
  de-DE: German (Germany); de-AT: German (Austria); de-CH: German (Switzerland); it: Italian;
  it-CH: Italian (Switzerland); nl: Dutch; nl-NL: Dutch (Netherlands); nl-BE: Dutch (Belgium); sv: Swedish;
  da: Danish; nb: Norwegian Bokmål; fi: Finnish; is: Icelandic; et: Estonian; lv: Latvian; lt: Lithuanian; pl: Polish;
  cs: Czech; sk: Slovak; hu: Hungarian; ro: Romanian; bg: Bulgarian; el: Greek; sl: Slovenian; hr: Croatian;
  bs: Bosnian; sr: Serbian; sr-Latn: Serbian (Latin); mk: Macedonian; sq: Albanian; tr: Turkish; uk: Ukrainian;
  ru: Russian; be: Belarusian; kk: Kazakh; uz: Uzbek; ka: Georgian; hy: Armenian; az: Azerbaijani; ca: Catalan;
  eu: Basque; gl: Galician; ga: Irish; cy: Welsh; mt: Maltese; ar: Arabic; ar-SA: Arabic (Saudi Arabia);
  ar-AE: Arabic (United Arab Emirates); ar-EG: Arabic (Egypt); he: Hebrew; fa: Persian; ur: Urdu; hi: Hindi;
  bn: Bangla; pa: Punjabi; gu: Gujarati; mr: Marathi; ta: Tamil; te: Telugu; kn: Kannada; ml: Malayalam; si: Sinhala;
  ne: Nepali; zh-Hans: Chinese (Simplified); zh-Hant: Chinese (Traditional);
  zh-Hant-HK: Chinese (Traditional, Hong Kong); ja: Japanese; ko: Korean; mn: Mongolian; th: Thai; vi: Vietnamese;
  id: Indonesian; ms: Malay; fil: Filipino; km: Khmer; lo: Lao; my: Burmese; sw: Swahili; am: Amharic; af: Afrikaans;
  zu: Zulu; zxx: No language; mul: Several languages
`

/** The vocabularies of a deployment that replaces none of them; the values are the usual terms of advertising. */
export const defaultVocabulary: Vocabularies = {
  TaskType: entries(`
    new_concept; iteration; variation; hook_test; localisation; resize; adaptation; refresh;
    compliance_fix: Compliance fix; reupload: Re-upload; research
  `),
  WorkStream: entries(`
    performance; brand; ugc: UGC; influencer; motion; static; video; design; copy; localisation; playable; seasonal;
    retention; test_lab
  `),
  MediaType: entries('video; image; carousel; collection; gif: GIF; playable; html5: HTML5; audio; text'),
  Resolution: entries(resolution),
  Geo: entries(`${markets};${countries}`),
  Language: entries(language),
  PrimaryAnchor: entries(`
    pain_point; desire; benefit; feature; product; offer; price; outcome; use_case; persona; objection;
    alternative: Competitor or alternative; social_proof; authority; ingredient: Ingredient or mechanism; brand_story;
    mission; occasion: Season or occasion; trend
  `),
  // Schwartz's five stages, from least to most aware. Sorting by this field therefore sorts by the position in the funnel.
  AwarenessStage: entries('unaware; problem_aware; solution_aware; product_aware; most_aware'),
  MessagingAngle: entries(`
    problem_solution: Problem and solution; pain_relief; transformation; aspiration; convenience: Convenience or ease;
    time_saving; money_saving; value_for_money; quality; performance: Performance or efficacy;
    health: Health or wellness; safety: Safety or trust; comfort; status; belonging: Belonging or identity; self_care;
    fun; science: Science or expertise; social_proof; comparison: Us vs. them; myth_busting; education;
    objection_handling; risk_reversal; fear: Fear or loss; fomo: FOMO; scarcity; novelty; nostalgia;
    values: Values or sustainability; origin_story; gifting; seasonal; offer
  `),
  // The psychological mechanism by which a hook works; HookType is the form of the hook.
  HookTrigger: entries(`
    pattern_interrupt; curiosity_gap; identity_callout: Identity call-out; pain_agitation;
    aspiration: Aspiration or desire; social_proof: Social proof or credibility;
    contrarian: Contrarian or myth-busting; urgency: Urgency or stakes; fear; surprise; humour; empathy; authority;
    novelty; controversy; nostalgia; reward: Reward or greed; sensory
  `),
  HookType: entries(`
    question; bold_claim; shocking_statement; statistic; storytelling; confession; contrarian; contrast; myth_busting;
    curiosity; demographic_callout: Demographic call-out; direct_address; directive; if_then: If … then; challenge;
    how_to: How-to; explainer; listicle; reasons_why; problem_statement; relatability; pov: POV; aspirational; belief;
    authority; social_proof; testimonial; risk_reversal; price_anchor; offer: Offer only;
    cta_first: Call to action first; urgency; exclusivity; fomo: FOMO; warning; reverse_psychology;
    news: News or announcement; demonstration; visual: Visual only; sound: Sound-led
  `),
  AdFormat: entries(`
    ugc: UGC; talking_head; testimonial; social_proof_mashup: Social proof mash-up; founder: Founder story;
    expert: Expert explainer; influencer: Influencer or partnership; demo: Product demo; how_to: How-to; unboxing;
    try_on: Try-on; before_after: Before and after; us_vs_them: Us vs. them; problem_solution: Problem and solution;
    feature_callout: Feature call-out; listicle; review: Review or quote; press: Press quote; statistic; case_study;
    comment_reply; reaction; duet: Duet or stitch; green_screen; split_screen; street_interview; podcast; skit;
    day_in_life: Day in the life; behind_the_scenes; vlog; asmr: ASMR; time_lapse; trend; meme; notes_app;
    text_message: Text message or chat; post_it: Sticky note; sign; letter; screen_recording; text_overlay;
    product_shot: Product shot; lifestyle; catalogue: Catalogue or dynamic product ad; offer_card; infographic;
    billboard; stop_motion; animation; motion_graphics; cinematic; vsl: Video sales letter; gameplay; mini_game;
    end_card; slideshow
  `),
  TrafficFlow: entries(`
    direct_to_site: Direct to site; product_page; collection_page; landing_page; advertorial; listicle_page;
    quiz_funnel; video_sales_letter; survey; lead_form: Lead form on site; instant_form: Lead form on the platform;
    booking; webinar; free_trial; app_store; deep_link: Deep link into the app; web_to_app; instant_experience;
    messenger: Messenger or chat; call: Phone call; social_profile; platform_shop: Shop on the platform; marketplace;
    retail: Store or retailer; email_capture
  `),
  VariedElement: entries(`
    hook; headline; primary_text; body; script; cta: Call to action; offer; price; angle: Messaging angle; audience;
    visual; first_frame; thumbnail; format: Ad format; layout; talent: Talent or actor; setting; product_shot;
    voiceover: Voice-over; music; sound_effects; pacing; edit; length; captions; text_overlay; end_card; language;
    resolution; background; colour; typography: Typography; logo; animation; landing_page
  `),
  // Short upper-case codes, as they usually appear in the names of ad accounts and campaigns.
  Source: entries(`
    META: Meta; TT: TikTok; GGL: Google Ads; YT: YouTube; SNAP: Snapchat; PIN: Pinterest; LI: LinkedIn; X: X;
    RDT: Reddit; QRA: Quora; AMZ: Amazon Ads; APL: Apple Ads; MSFT: Microsoft Advertising; TBL: Taboola; OB: Outbrain;
    MGID: MGID; NB: NewsBreak; TTD: The Trade Desk; DV360: Display & Video 360; DSP: Other DSP; CTV: Connected TV;
    SPOT: Spotify; TW: Twitch; APLV: AppLovin; UNITY: Unity Ads; MTG: Mintegral; LFT: Liftoff; KWAI: Kwai; LINE: LINE;
    KKO: Kakao; TG: Telegram; EMAIL: Email; ORG: Organic; OTHER: Other
  `),
}

/** Returns the allowed values of each vocabulary, in order. */
export function valuesOf(vocabulary: Vocabularies): Record<VocabularyName, readonly string[]> {
  const values = (name: VocabularyName) => vocabulary[name].map((entry) => entry.value)
  return recordOf(values)
}

/**
 * Parses a deployment's vocabularies. `raw` maps names of vocabularies to arrays of values or of `{value, label}`; each named
 * vocabulary replaces its default completely. Returns all errors at once, each with its location and a remedy.
 */
export function parseVocabulary(raw: unknown): { vocabulary: Vocabularies } | { errors: string[] } {
  if (!isObject(raw)) return { errors: [`must be a JSON object of vocabularies, e.g. {"Geo": ["US", "DE"]}`] }
  const errors: string[] = []
  const overrides = new Map<VocabularyName, readonly VocabularyEntry[]>()
  for (const [name, rawEntries] of Object.entries(raw)) {
    if (!isVocabularyName(name)) {
      errors.push(`${show(name)}: no such vocabulary; the ones to override are ${vocabularyNames.join(', ')}`)
      continue
    }
    const parsed = parseEntries(name, rawEntries)
    errors.push(...parsed.errors)
    overrides.set(name, parsed.entries)
  }
  if (errors.length > 0) return { errors }
  return { vocabulary: recordOf((name) => overrides.get(name) ?? defaultVocabulary[name]) }
}

const maxLength = 64
const valuePattern = /^[A-Za-z0-9][A-Za-z0-9_.+:-]*$/
const labelPattern = /^[^\s\p{Cc}\p{Cs}]([^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*[^\s\p{Cc}\p{Cs}])?$/u

function parseEntries(name: VocabularyName, raw: unknown): { entries: VocabularyEntry[]; errors: string[] } {
  if (!Array.isArray(raw) || raw.length === 0) {
    return {
      entries: [],
      errors: [`${name}: must be an array of at least one value; leave it out to keep the defaults`],
    }
  }
  const parsed: VocabularyEntry[] = []
  const errors: string[] = []
  const seen = new Map<string, number>()
  for (const [position, rawEntry] of raw.entries()) {
    const at = `${name}[${position}]`
    const entry = parseEntry(name, rawEntry)
    if (typeof entry === 'string') {
      errors.push(`${at}: ${entry}`)
      continue
    }
    const first = seen.get(entry.value)
    if (first !== undefined)
      errors.push(`${at}: ${show(entry.value)} is already at ${name}[${first}]; remove one of the two`)
    seen.set(entry.value, first ?? position)
    parsed.push(entry)
  }
  const head: unknown = raw[0]
  if (name === 'Source' && (isObject(head) ? head.value : head) !== defaultSource) {
    errors.push(`Source: must start with "${defaultSource}", the default of every new task; put it first`)
  }
  return { entries: parsed, errors }
}

/** Returns the parsed entry, or a sentence that says what is wrong with it. */
function parseEntry(name: VocabularyName, raw: unknown): VocabularyEntry | string {
  if (typeof raw === 'string') return problemOfValue(raw) ?? { value: raw, label: labelOf(name, raw) }
  if (!isObject(raw)) return 'must be a string, or an object with "value" and "label"'
  const unknown = Object.keys(raw).filter((key) => key !== 'value' && key !== 'label')
  if (unknown.length > 0) return `has unknown members (${unknown.map(show).join(', ')}); keep only "value" and "label"`
  const { value, label } = raw
  if (typeof value !== 'string') return 'its "value" must be a string'
  const problem = problemOfValue(value)
  if (problem !== null) return problem
  if (label === undefined) return 'its "label" is missing; add one, or write the value as a plain string'
  if (typeof label !== 'string' || [...label].length > maxLength || !labelPattern.test(label)) {
    return `its "label" must be one line of 1 to ${maxLength} characters without blanks at either end`
  }
  return { value, label }
}

function problemOfValue(value: string): string | null {
  if (value.trim() === '') return 'is blank; give it a value or remove it'
  if (value.length > maxLength) return `is ${value.length} characters long; shorten it to at most ${maxLength}`
  if (valuePattern.test(value)) return null
  return `${show(value)} is not a value; use letters A-Z, digits and _ . + : - and start with a letter or digit`
}

/** Returns the default label if the value is in the default vocabulary; otherwise the words of a snake_case value, or the value. */
function labelOf(name: VocabularyName, value: string): string {
  return defaultVocabulary[name].find((entry) => entry.value === value)?.label ?? readable(value)
}

function readable(value: string): string {
  if (!/^[a-z0-9_]+$/.test(value)) return value
  const words = value.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Parses entries from a text such as `value; value: Label; …`. In this form, the 500 entries of this file stay readable. */
function entries(text: string): readonly VocabularyEntry[] {
  return text.split(';').map((part) => {
    const [value = '', label] = part.trim().split(/:\s+/, 2)
    return { value, label: label?.replace(/\s+/g, ' ') ?? readable(value) }
  })
}

/** Builds a record that contains `of(name)` under the name of each vocabulary. */
function recordOf<T>(of: (name: VocabularyName) => T): Record<VocabularyName, T> {
  return {
    TaskType: of('TaskType'),
    WorkStream: of('WorkStream'),
    MediaType: of('MediaType'),
    Resolution: of('Resolution'),
    Geo: of('Geo'),
    Language: of('Language'),
    PrimaryAnchor: of('PrimaryAnchor'),
    AwarenessStage: of('AwarenessStage'),
    MessagingAngle: of('MessagingAngle'),
    HookTrigger: of('HookTrigger'),
    HookType: of('HookType'),
    AdFormat: of('AdFormat'),
    TrafficFlow: of('TrafficFlow'),
    VariedElement: of('VariedElement'),
    Source: of('Source'),
  }
}

function isVocabularyName(name: string): name is VocabularyName {
  const names: readonly string[] = vocabularyNames
  return names.includes(name)
}

function isObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** Quotes a text as JSON, and shortens it so that the error message fits on one line. */
function show(text: string): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
}
