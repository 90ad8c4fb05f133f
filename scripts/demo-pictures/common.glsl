#version 300 es
precision highp float;
uniform vec2 size; uniform float seed; uniform int scene;
out vec4 color;
uint st;
uint pcg(){ st=st*747796405u+2891336453u; uint w=((st>>((st>>28u)+4u))^st)*277803737u; return (w>>22u)^w; }
float rnd(){ return float(pcg())/4294967296.0; }
float h31(vec3 p){ p=fract(p*0.1031); p+=dot(p,p.yzx+33.33); return fract((p.x+p.y)*p.z); }
float h21(vec2 p){ vec3 q=fract(vec3(p.xyx)*.1031); q+=dot(q,q.yzx+33.33); return fract((q.x+q.y)*q.z); }
float noise(vec3 p){ vec3 i=floor(p), f=fract(p); f=f*f*(3.-2.*f);
 return mix(mix(mix(h31(i),h31(i+vec3(1,0,0)),f.x),mix(h31(i+vec3(0,1,0)),h31(i+vec3(1,1,0)),f.x),f.y),
            mix(mix(h31(i+vec3(0,0,1)),h31(i+vec3(1,0,1)),f.x),mix(h31(i+vec3(0,1,1)),h31(i+vec3(1,1,1)),f.x),f.y),f.z); }
float fbm(vec3 p){ float a=0.,w=.5; for(int i=0;i<4;i++){ a+=w*noise(p); p=p*2.03+7.1; w*=.5;} return a; }
mat2 rot(float a){ float c=cos(a),s=sin(a); return mat2(c,-s,s,c); }
float box(vec3 p, vec3 b, float r){ vec3 q=abs(p)-b+r; return length(max(q,0.))+min(max(q.x,max(q.y,q.z)),0.)-r; }
float ell(vec3 p, vec3 r){ float k0=length(p/r),k1=length(p/(r*r)); return k0*(k0-1.)/k1; }
float cyl(vec3 p,float r,float h,float rd){ vec2 d=abs(vec2(length(p.xz),p.y))-vec2(r,h)+rd; return min(max(d.x,d.y),0.)+length(max(d,0.))-rd; }
float tor(vec3 p,float R,float r){ return length(vec2(length(p.xz)-R,p.y))-r; }
float smin(float a,float b,float k){ float h=max(k-abs(a-b),0.)/k; return min(a,b)-h*h*k*.25; }
float smax(float a,float b,float k){ return -smin(-a,-b,k); }
// A point's distance d to the nearest surface, and the id m of the material of that surface.
struct Hit{ float d; int m; };
void add(inout Hit h,float d,int m){ if(d<h.d){h.d=d;h.m=m;} }
