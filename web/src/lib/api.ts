// In charge of the one way this page asks the service.
import { wireTable } from 'virtual:wire-table'
import { createCaller } from '@atelier/contract/wire/calls.ts'
import { bearer, sendSignedIn } from './session.ts'

export const { call, callMinimal, callTagged } = createCaller({
  table: wireTable,
  url: location.origin,
  token: bearer,
  fetch: sendSignedIn,
})
