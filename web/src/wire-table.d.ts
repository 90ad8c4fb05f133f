// In charge of the TypeScript type of the table of routes. `web/build/wire-table.ts` makes the table itself during the build.
declare module 'virtual:wire-table' {
  export const wireTable: import('@atelier/contract/wire/calls.ts').WireTable
}
