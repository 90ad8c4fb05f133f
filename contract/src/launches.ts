// In charge of the wire shapes for recording launches, and of the request body of the creative lookup.
import Type from 'typebox'
import { Closed, DateTime, Id, Nullable } from './wire/schema.ts'
import { textTooShort } from './wire/validation-errors.ts'
import { Author } from './workspace.ts'

const launchLimits = { entries: 500, handles: 500 } as const

/** A name or id that names a creative, a task or an ad, as other systems have it: any text that is not blank. */
const Handle = (description: string, options: { maxLength?: number } = {}) =>
  Type.String({
    minLength: 1,
    pattern: '\\S',
    description,
    'x-error': textTooShort(1),
    ...options,
  })

const adId = 'Campaign id as the ad account knows it; a string, never a number.'
/** The limit for stored identifiers: they must fit into a database index. Identifiers to search for may have any length. */
const kept = { maxLength: 255 }
const When = Type.Optional(
  Nullable(DateTime({ description: 'When it went live; left out: now, unless this ad_id was recorded before.' })),
)

export const CreativeLaunches = Closed(
  {
    launches: Type.Array(
      Closed({
        name: Handle('Canonical name of the creative.', kept),
        ad_id: Handle(adId, kept),
        launched_at: When,
      }),
      {
        minItems: 1,
        maxItems: launchLimits.entries,
      },
    ),
  },
  { $id: 'CreativeLaunches' },
)
export type CreativeLaunches = Type.Static<typeof CreativeLaunches>

export const CreativeLaunchResult = Closed(
  {
    name: Type.String(),
    ad_id: Type.String(),
    creative_id: Nullable(
      Type.String({ description: 'Null: no live creative has the name; the launch waits for one that gets it.' }),
    ),
    recorded: Type.Boolean({ description: 'False: it was recorded before.' }),
  },
  { $id: 'CreativeLaunchResult' },
)

export const PackLaunches = Closed(
  {
    launches: Type.Array(
      Closed({
        task_id: Handle('The task whose creatives went live together.', kept),
        ad_id: Handle(adId, kept),
        launched_at: When,
      }),
      { minItems: 1, maxItems: launchLimits.entries },
    ),
  },
  { $id: 'PackLaunches' },
)
export type PackLaunches = Type.Static<typeof PackLaunches>

export const PackLaunchResult = Closed(
  {
    task_id: Type.String(),
    ad_id: Type.String(),
    creative_ids: Type.Array(Id(), { description: 'Its live creatives.' }),
    recorded: Type.Boolean({ description: 'False: it was recorded before, or there is no such task.' }),
  },
  { $id: 'PackLaunchResult' },
)

export const Launch = Closed(
  {
    id: Id(),
    ad_id: Type.String(),
    launched_at: DateTime(),
    creative_id: Nullable(Type.String({ description: 'Null: a launch of the pack, for all creatives of the task.' })),
    name: Nullable(Type.String({ description: 'What the creative is called now.' })),
    recorded_at: DateTime(),
    by: Nullable(Author),
    voided: Nullable(
      Closed({
        at: DateTime(),
        by: Nullable(Author),
        ad_id: Nullable(Type.String({ description: 'What it was corrected to; null: it never went live.' })),
      }),
    ),
  },
  { $id: 'Launch' },
)
export type Launch = Type.Static<typeof Launch>

export const LaunchCorrection = Closed(
  {
    ad_id: Nullable(Handle('The campaign id it went live under; null: it never went live.', kept)),
    launched_at: Type.Optional(Nullable(DateTime({ description: 'When it went live; left out: as it was recorded.' }))),
  },
  { $id: 'LaunchCorrection' },
)
export type LaunchCorrection = Type.Static<typeof LaunchCorrection>

export const CreativeLookup = Closed(
  {
    names: Type.Optional(
      Type.Array(Handle('Canonical name, exact.'), {
        maxItems: launchLimits.handles,
        description: 'Answered first, in this order.',
      }),
    ),
    ad_ids: Type.Optional(
      Type.Array(Handle(adId), {
        maxItems: launchLimits.handles,
        description: 'Answered after the names, in this order.',
      }),
    ),
  },
  { $id: 'CreativeLookup', 'x-required-any': ['names', 'ad_ids'] },
)
export type CreativeLookup = Type.Static<typeof CreativeLookup>
