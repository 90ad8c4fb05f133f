// In charge of the calls to the service: every part of the app makes them through this file.
import { wireTable } from 'virtual:wire-table'
import { createCaller } from '@atelier/contract/wire/calls.ts'
import { bearer, sendSignedIn } from './session.ts'

export const { call, callMinimal, callTagged } = createCaller({
  table: wireTable,
  url: location.origin,
  token: bearer,
  fetch: sendSignedIn,
})
