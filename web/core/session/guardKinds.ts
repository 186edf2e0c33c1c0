/** Who may see a page. `auth`: signed-in users; `admin`: admins; `guests`: signed-out visitors. */
export type Guard = "auth" | "admin" | "guests";
