// In charge of the functions by which the app calls the API as the signed-in user. Only uploads, the connection for change events
// and the guest page send their requests in other ways.
import { wireTable } from 'virtual:wire-table'
import { createCaller } from '@atelier/contract/wire/calls.ts'
import { bearer, sendSignedIn } from './session.ts'

export const { call, callMinimal, callTagged } = createCaller({
  table: wireTable,
  url: location.origin,
  token: bearer,
  fetch: sendSignedIn,
})
