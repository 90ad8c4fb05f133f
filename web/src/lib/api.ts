// In charge of calling the API: all parts of the app use the functions of this file for that.
import { wireTable } from 'virtual:wire-table'
import { createCaller } from '@atelier/contract/wire/calls.ts'
import { bearer, sendSignedIn } from './session.ts'

export const { call, callMinimal, callTagged } = createCaller({
  table: wireTable,
  url: location.origin,
  token: bearer,
  fetch: sendSignedIn,
})
