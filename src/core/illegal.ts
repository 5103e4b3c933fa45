/** A fact that cannot have happened in this state: it is refused and changes nothing (law L6). */
export interface Illegal {
  readonly illegal: string;
}

export const illegal = (reason: string): Illegal => ({ illegal: reason });

export const isIllegal = (value: object): value is Illegal => "illegal" in value;
