/**
 * Who may see a page. `auth`: signed-in users; `admin`: admins; `leads`: learners who lead people; `guests`: signed-out
 * visitors.
 */
export type Guard = "auth" | "admin" | "leads" | "guests";
