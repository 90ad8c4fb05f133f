// In charge of the type of the table of routes, which the build makes (`web/build/wire-table.ts`).
declare module 'virtual:wire-table' {
  export const wireTable: import('@atelier/contract/wire/calls.ts').WireTable
}
